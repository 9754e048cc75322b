// Another thread swaps what a path means without pause; nothing outside may be read or changed.

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include "capabilities/read_text.h"
#include "capabilities/write_text.h"
#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

namespace fs = std::filesystem;
using test::TempDirectory;

// Exchanges two names for as long as it lives.
class Swapper {
 public:
  Swapper(std::string a, std::string b)
      : a_(std::move(a)), b_(std::move(b)), thread_([this] { run(); }) {}
  ~Swapper() {
    stop_ = true;
    thread_.join();
  }
  Swapper(const Swapper&) = delete;
  Swapper& operator=(const Swapper&) = delete;

  long swaps() const { return swaps_; }

 private:
  void run() {
    while (!stop_) {
      if (::syscall(SYS_renameat2, AT_FDCWD, a_.c_str(), AT_FDCWD, b_.c_str(), RENAME_EXCHANGE) ==
          0)
        ++swaps_;
    }
  }

  const std::string a_;
  const std::string b_;
  std::atomic<bool> stop_ = false;
  std::atomic<long> swaps_ = 0;
  std::thread thread_;  // last: uses the others
};

constexpr int kLeastRounds = 2000;
constexpr int kMostRounds = 50'000;

TEST_CASE("no read returns outside text while a directory and a link out are swapped") {
  const TempDirectory tree;
  tree.file("in/d/f.txt", "inside");
  tree.file("out/f.txt", "OUTSIDE-SECRET");
  tree.link("in/evil", tree.path("out"));
  const Authority authority = test::reading({tree.path("in")});
  int read = 0;
  int refused = 0;
  const Swapper swapper(tree.path("in/d"), tree.path("in/evil"));
  for (int round = 0; round < kMostRounds; ++round) {
    const auto result = read_text(authority, tree.path("in/d/f.txt"));
    if (result) REQUIRE(result->text == "inside");
    ++(result ? read : refused);
    if (round >= kLeastRounds && read > 0 && refused > 0) break;
  }
  CHECK(read > 0);
  CHECK(refused > 0);
  CHECK(swapper.swaps() > 0);
}

TEST_CASE("no read returns outside text while the root itself is swapped for another directory") {
  const TempDirectory tree;
  tree.file("in/f.txt", "inside");
  tree.file("out/f.txt", "OUTSIDE-SECRET");
  const Authority authority = test::reading({tree.path("in")});
  int read = 0;
  const Swapper swapper(tree.path("in"), tree.path("out"));
  for (int round = 0; round < kMostRounds; ++round) {
    const auto result = read_text(authority, tree.path("in/f.txt"));
    if (result) REQUIRE(result->text == "inside");
    read += result.has_value();
    if (round >= kLeastRounds && read > 0) break;
  }
  CHECK(read > 0);
  CHECK(swapper.swaps() > 0);
}

TEST_CASE("no write reaches outside while a directory and a link out are swapped") {
  const TempDirectory tree;
  tree.file("in/d/f.txt", "inside");
  tree.file("out/f.txt", "OUTSIDE-SECRET");
  tree.link("in/evil", tree.path("out"));
  const Authority authority = test::writing({tree.path("in")});
  int written = 0;
  {
    const Swapper swapper(tree.path("in/d"), tree.path("in/evil"));
    for (int round = 0; round < kMostRounds; ++round) {
      written += write_text(authority, tree.path("in/d/f.txt"), "new").has_value();
      if (round >= 300 && written > 0) break;
    }
  }
  CHECK(written > 0);
  CHECK(test::contents(tree.path("out/f.txt")) == "OUTSIDE-SECRET");
  CHECK(std::distance(fs::directory_iterator(tree.path("out")), fs::directory_iterator()) == 1);
}

TEST_CASE("readers see the old or the new text while a granted file is replaced") {
  const TempDirectory tree;
  const std::string path = tree.file("in/f.txt", std::string(5000, 'a'));
  AISandboxOptions options;
  options.filesystem.emplace();
  // Once as a directory root, once as a root that is the file itself.
  const std::string root = GENERATE(as<std::string>(), "in", "in/f.txt");
  options.filesystem->read = {tree.path(root)};
  options.filesystem->write = {tree.path(root)};
  const Authority authority = Authority::validate(options);
  std::atomic<bool> stop = false;
  std::atomic<int> failed_writes = 0;
  std::thread writer([&] {
    for (char c = 'b'; !stop; c = c == 'z' ? 'a' : static_cast<char>(c + 1))
      failed_writes += write_text(authority, path, std::string(5000, c)).has_error();
  });
  int failed_reads = 0;
  int torn = 0;
  for (int round = 0; round < 1000; ++round) {
    const auto result = read_text(authority, path);
    if (!result) {
      ++failed_reads;
    } else {
      torn += result->text.size() != 5000 || result->text != std::string(5000, result->text[0]);
    }
  }
  stop = true;
  writer.join();
  CHECK(failed_reads == 0);
  CHECK(torn == 0);
  CHECK(failed_writes == 0);
}

}  // namespace
}  // namespace cordon
