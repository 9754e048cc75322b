#include "capabilities/read_text.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "messages/unique_fd.h"
#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

using test::failure_of;
using test::reading;
using test::refusal_of;
using test::TempDirectory;

std::string text_of(const Authority& authority, const std::string& path) {
  const auto result = read_text(authority, path);
  INFO(path);
  test::require_value(result);
  return result->text;
}

void require_outside(const Authority& authority, const std::string& path) {
  INFO(path);
  const Refusal refusal = refusal_of(read_text(authority, path));
  CHECK(refusal.capability == "filesystem.read");
  CHECK(refusal.message ==
        "Filesystem read of " + path +
            " is not granted: add it to `filesystem.read` (--allow-read=" + path + ")");
  CHECK(refusal.reason == "not beneath a root of filesystem.read");
}

TEST_CASE("a file beneath a root is read, however its path is spelled") {
  const TempDirectory tree;
  tree.file("in/sub/ok.txt", "inside");
  const Authority authority = reading({tree.path("in")});
  for (const char* spelling : {"/in/sub/ok.txt", "//in///sub/./ok.txt", "/in/sub/../sub/ok.txt",
                               "/in/../in/sub/ok.txt", "/./in/sub/../../in/sub/ok.txt"})
    CHECK(text_of(authority, tree.path() + spelling) == "inside");
}

TEST_CASE("a root may be a file, a link, or everything") {
  const TempDirectory tree;
  tree.file("data/a.txt", "a");
  tree.file("data/b.txt", "b");
  tree.link("link", tree.path("data"));
  tree.link("data/to_b", "b.txt");

  const Authority file = reading({tree.path("data/a.txt")});
  CHECK(text_of(file, tree.path("data/a.txt")) == "a");
  require_outside(file, tree.path("data/b.txt"));
  require_outside(file, tree.path("data"));
  require_outside(file, tree.path("data/a.txtx"));

  const Authority linked = reading({tree.path("link")});
  CHECK(text_of(linked, tree.path("link/a.txt")) == "a");
  CHECK(text_of(linked, tree.path("data/a.txt")) == "a");

  const Authority linked_file = reading({tree.path("data/to_b")});
  CHECK(text_of(linked_file, tree.path("data/to_b")) == "b");
  require_outside(linked_file, tree.path("data/a.txt"));

  CHECK(text_of(reading({"/"}), tree.path("data/b.txt")) == "b");
}

TEST_CASE("the bytes read are counted, the text decoded") {
  const TempDirectory tree;
  tree.file("in/bom.txt",
            "\xef\xbb\xbf"
            "caf\xc3\xa9\xff");
  const auto result = read_text(reading({tree.path("in")}), tree.path("in/bom.txt"));
  test::require_value(result);
  CHECK(result->text == "caf\u00e9\uFFFD");
  CHECK(result->bytes == 9);
  tree.file("in/empty", "");
  CHECK(text_of(reading({tree.path("in")}), tree.path("in/empty")) == "");
}

TEST_CASE("links are followed only to what is granted") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  tree.file("other/also.txt", "granted as well");
  tree.file("out/secret.txt", "OUTSIDE-SECRET");
  tree.link("in/relative", "ok.txt");
  tree.link("in/absolute", tree.path("in/ok.txt"));
  tree.link("in/deep/up", "../ok.txt");
  tree.link("in/other", tree.path("other/also.txt"));
  tree.link("in/leaf", tree.path("out/secret.txt"));
  tree.link("in/dir", "../out");
  tree.link("in/chain", "leaf");
  tree.link("in/top", "/");
  tree.link("entry", "in");
  const Authority authority = reading({tree.path("in"), tree.path("other")});

  for (const char* path : {"in/relative", "in/absolute", "in/deep/up", "entry/ok.txt"})
    CHECK(text_of(authority, tree.path(path)) == "inside");
  CHECK(text_of(authority, tree.path("in/other")) == "granted as well");
  CHECK(text_of(authority, tree.path("in/top") + tree.path("in/ok.txt")) == "inside");
  for (const char* path :
       {"in/leaf", "in/dir/secret.txt", "in/chain", "entry/leaf", "in/dir/missing"})
    require_outside(authority, tree.path(path));
  require_outside(authority, tree.path("in/top") + tree.path("out/secret.txt"));
}

TEST_CASE("neighbours and parents of a root are outside") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  tree.file("in-evil/secret.txt", "OUTSIDE-SECRET");
  tree.file("i/secret.txt", "OUTSIDE-SECRET");
  tree.file("out/secret.txt", "OUTSIDE-SECRET");
  const Authority authority = reading({tree.path("in")});
  for (const char* path :
       {"/in-evil/secret.txt", "/i/secret.txt", "/in/../out/secret.txt",
        "//in/.//..//out/secret.txt", "/in/./../in/../out/./secret.txt", "", "/", "/in/.."})
    require_outside(authority, tree.path() + path);
}

TEST_CASE("paths that no grant could mean are refused by their form") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  const Authority authority = reading({tree.path("in")});
  const std::string good = tree.path("in/ok.txt");
  for (const std::string& path :
       {std::string("in/ok.txt"), std::string("./in/ok.txt"), std::string(), std::string(" "),
        std::string("~/x"), std::string("../in/ok.txt"), good + std::string("\0.png", 5),
        good + std::string(1, '\0'), good + "\xff", "file://" + good, " " + good,
        "/" + std::string(5000, 'a')}) {
    const Refusal refusal = refusal_of(read_text(authority, path));
    CHECK(refusal.capability == "filesystem.read");
    CHECK_THAT(refusal.message,
               Catch::StartsWith("Filesystem read of ") && Catch::Contains(" is not granted: "));
  }
}

TEST_CASE("nothing is readable without a grant") {
  const TempDirectory tree;
  require_outside(Authority::validate({}), tree.file("ok.txt", "x"));
}

TEST_CASE("failures inside a root are ordinary and name the cause") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  tree.link("in/dangling", "nothing");
  tree.link("in/loop", "loop");
  tree.directory("in/dir");
  const Authority authority = reading({tree.path("in")});
  const auto failure = [&](const std::string& path) {
    return failure_of(read_text(authority, tree.path(path)));
  };
  CHECK(failure("in/missing").message ==
        "Filesystem read of " + tree.path("in/missing") + " failed: no such file or directory");
  CHECK(failure("in/missing").reason == "no such file or directory");
  CHECK(failure("in/missing/deeper").reason == "no such file or directory");
  CHECK(failure("in/dangling").reason == "no such file or directory");
  CHECK(failure("in/ok.txt/below").reason == "not a directory");
  CHECK(failure("in/ok.txt/").reason == "not a directory");
  CHECK(failure("in/loop").reason == "too many levels of symbolic links");
  CHECK(failure("in/" + std::string(300, 'n')).reason == "file name too long");
  CHECK(failure("in/dir").reason == "is a directory");
  CHECK(failure("in/dir/").reason == "is a directory");
  CHECK(failure("in").reason == "is a directory");
}

TEST_CASE("what is not a regular file fails at once") {
  const TempDirectory tree;
  tree.directory("in");
  REQUIRE(::mkfifo(tree.path("in/pipe").c_str(), 0600) == 0);
  const UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, tree.path("in/socket").c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const Authority authority = reading({tree.path("in"), "/dev"});
  CHECK(failure_of(read_text(authority, tree.path("in/pipe"))).reason == "not a regular file");
  CHECK(failure_of(read_text(authority, tree.path("in/socket"))).reason == "not a regular file");
  CHECK(failure_of(read_text(authority, "/dev/zero")).reason == "not a regular file");
  CHECK(failure_of(read_text(authority, "/dev/tty")).reason == "not a regular file");
}

TEST_CASE("kernel file systems and magic links stay closed, whatever is granted") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  const UniqueFd open_file(::open(tree.path("in/ok.txt").c_str(), O_RDONLY | O_CLOEXEC));
  tree.link("in/root", "/proc/self/root");
  tree.link("in/fd", "/proc/self/fd/" + std::to_string(open_file.get()));
  const Authority everything = reading({"/"});
  const auto message = [&](const std::string& path) {
    return refusal_of(read_text(everything, path)).message;
  };
  for (const char* path : {"/proc/version", "/proc/self/environ", "/proc/1/nothing",
                           "/proc/no-such", "/proc/self/cwd/x", "/proc/self/exe", "/dev/fd/0",
                           "/sys/kernel/uevent_seqnum", "/sys/no-such", "/proc"})
    CHECK_THAT(message(path),
               Catch::Contains("is not granted: nothing on a kernel file system can be"));
  for (const std::string& path :
       {"/proc/self/root" + tree.path("in/ok.txt"), tree.path("in/root") + tree.path("in/ok.txt"),
        tree.path("in/fd")})
    CHECK_THAT(message(path),
               Catch::Contains("is not granted: nothing on a kernel file system can be"));
  require_outside(reading({tree.path("in")}), tree.path("in/root") + tree.path("in/ok.txt"));
  // A grant of /proc itself grants nothing.
  CHECK(refusal_of(read_text(reading({"/proc"}), "/proc/version")).capability == "filesystem.read");
}

TEST_CASE("the byte limit holds before and while reading") {
  const TempDirectory tree;
  tree.file("in/at.txt", std::string(16, 'x'));
  tree.file("in/over.txt", std::string(17, 'x'));
  tree.file("in/huge", "");
  REQUIRE(::truncate(tree.path("in/huge").c_str(), off_t{8} << 30) == 0);
  AISandboxOptions options;
  options.filesystem.emplace().read = {tree.path("in")};
  options.resources.max_read_bytes = 16;
  const Authority authority = Authority::validate(options);
  CHECK(text_of(authority, tree.path("in/at.txt")).size() == 16);
  for (const char* name : {"in/over.txt", "in/huge"}) {
    const Refusal refusal = refusal_of(read_text(authority, tree.path(name)));
    CHECK(refusal.capability == "resource.bytes");
    CHECK(refusal.message ==
          "Filesystem read of " + tree.path(name) + " exceeds 16 bytes (resources.maxReadBytes)");
    CHECK(refusal.reason == "exceeds 16 bytes");
  }
  // Beyond what any reply can hold it is a failure: no option would change it.
  options.resources.max_read_bytes = std::uint64_t{1} << 40;
  CHECK(failure_of(read_text(Authority::validate(options), tree.path("in/huge"))).reason ==
        "larger than one reply can hold");
}

TEST_CASE("permissions of the host's user decide inside a root, and show nothing outside") {
  const TempDirectory tree;
  tree.file("in/private.txt", "private");
  tree.file("in/closed/x.txt", "closed");
  tree.file("out/closed/x.txt", "OUTSIDE-SECRET");
  REQUIRE(::chmod(tree.path("in/private.txt").c_str(), 0) == 0);
  REQUIRE(::chmod(tree.path("in/closed").c_str(), 0) == 0);
  REQUIRE(::chmod(tree.path("out/closed").c_str(), 0) == 0);
  const Authority authority = reading({tree.path("in")});
  const auto message = [&](const char* path) {
    return test::as_ordinary_user(
        [&] { return test::message_of(read_text(authority, tree.path(path))); });
  };
  CHECK_THAT(message("in/private.txt"), Catch::EndsWith("|permission denied"));
  CHECK_THAT(message("in/closed/x.txt"), Catch::EndsWith("|permission denied"));
  CHECK_THAT(message("out/closed/x.txt"),
             Catch::EndsWith("|not beneath a root of filesystem.read"));
  CHECK_THAT(message("out/closed"), Catch::EndsWith("|not beneath a root of filesystem.read"));
  for (const char* path : {"in/closed", "out/closed"}) ::chmod(tree.path(path).c_str(), 0700);
}

TEST_CASE("a grant is for the directory that was validated, not for its name") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  tree.file("private/ok.txt", "OUTSIDE-SECRET");
  const Authority authority = reading({tree.path("in")});
  std::filesystem::rename(tree.path("in"), tree.path("moved"));
  std::filesystem::rename(tree.path("private"), tree.path("in"));
  require_outside(authority, tree.path("in/ok.txt"));
  require_outside(authority, tree.path("moved/ok.txt"));
}

TEST_CASE("a root that is a file follows its name when the file is replaced") {
  const TempDirectory tree;
  tree.file("in/a.txt", "old");
  const Authority authority = reading({tree.path("in/a.txt")});
  tree.file("in/new", "new");
  std::filesystem::rename(tree.path("in/new"), tree.path("in/a.txt"));
  CHECK(text_of(authority, tree.path("in/a.txt")) == "new");
  std::filesystem::remove(tree.path("in/a.txt"));
  require_outside(authority, tree.path("in/a.txt"));
}

TEST_CASE("a host short of descriptors says so, rather than that nothing is granted") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  const Authority authority = reading({tree.path("in")});
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &old) == 0);
  const rlimit none{3, old.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  const auto result = read_text(authority, tree.path("in/ok.txt"));
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &old) == 0);
  CHECK(failure_of(result).reason == "too many open files");
}

}  // namespace
}  // namespace cordon
