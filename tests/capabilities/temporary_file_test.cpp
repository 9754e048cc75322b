#include "capabilities/temporary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "capabilities/write_text.h"
#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

namespace fs = std::filesystem;
using test::TempDirectory;

UniqueFd open_directory(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(fd);
  return fd;
}

TEST_CASE("a temporary is removed unless it is renamed") {
  const TempDirectory tree;
  const UniqueFd directory = open_directory(tree.path());
  {
    const auto file = TemporaryFile::create(directory.get(), 0600);
    REQUIRE(file.has_value());
    CHECK_FALSE(fs::is_empty(tree.path()));
  }
  CHECK(fs::is_empty(tree.path()));
  {
    auto file = TemporaryFile::create(directory.get(), 0600);
    REQUIRE(file.has_value());
    REQUIRE(file->rename_to("kept") == 0);
  }
  CHECK(fs::exists(tree.path("kept")));
}

TEST_CASE("what a killed writer left is removed, what a living one writes is not") {
  const TempDirectory tree;
  const UniqueFd directory = open_directory(tree.path());
  const auto living = TemporaryFile::create(directory.get(), 0600);
  REQUIRE(living.has_value());
  const pid_t writer = ::fork();
  REQUIRE(writer >= 0);
  if (writer == 0) {
    const auto file = TemporaryFile::create(directory.get(), 0600);
    ::_exit(file.has_value() ? 0 : 1);  // no destructor runs, as after a kill
  }
  int status = 0;
  REQUIRE(::waitpid(writer, &status, 0) == writer);
  REQUIRE(status == 0);
  const auto count = [&] {
    return std::distance(fs::directory_iterator(tree.path()), fs::directory_iterator());
  };
  REQUIRE(count() == 2);
  remove_stale_temporaries(directory.get());
  CHECK(count() == 1);
}

TEST_CASE("a write cleans its directory first") {
  const TempDirectory tree;
  tree.file("in/.cordon-0123456789abcdef.tmp", "left over");
  test::require_value(write_text(test::writing({tree.path("in")}), tree.path("in/x"), "x"));
  CHECK_FALSE(fs::exists(tree.path("in/.cordon-0123456789abcdef.tmp")));
}

TEST_CASE("cleaning touches nothing but regular files of the exact name") {
  const TempDirectory tree;
  tree.file("out", "OUTSIDE");
  for (const char* name : {"in/.cordon-0123456789abcde.tmp", "in/.cordon-0123456789ABCDEF.tmp",
                           "in/cordon-0123456789abcdef.tmp", "in/.cordon-0123456789abcdef.tmpx"})
    tree.file(name, "kept");
  tree.link("in/.cordon-1111111111111111.tmp", tree.path("out"));
  REQUIRE(::mkfifo(tree.path("in/.cordon-2222222222222222.tmp").c_str(), 0600) == 0);
  tree.directory("in/.cordon-3333333333333333.tmp");
  remove_stale_temporaries(open_directory(tree.path("in")).get());
  CHECK(std::distance(fs::directory_iterator(tree.path("in")), fs::directory_iterator()) == 7);
  CHECK(test::contents(tree.path("out")) == "OUTSIDE");
}

}  // namespace
}  // namespace cordon
