#include "capabilities/write_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

namespace fs = std::filesystem;
using test::contents;
using test::failure_of;
using test::refusal_of;
using test::TempDirectory;
using test::writing;

void require_written(const Authority& authority, const std::string& path, std::string_view text) {
  const auto result = write_text(authority, path, text);
  test::require_value(result);
  CHECK(*result == text.size());
  CHECK(contents(path) == text);
}

void require_outside(const Authority& authority, const std::string& path) {
  INFO(path);
  const Refusal refusal = refusal_of(write_text(authority, path, "OVERWRITTEN"));
  CHECK(refusal.capability == "filesystem.write");
  CHECK(refusal.message ==
        "Filesystem write of " + path +
            " is not granted: add it to `filesystem.write` (--allow-write=" + path + ")");
}

std::size_t entries(const std::string& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

mode_t mode_of(const std::string& path) {
  struct stat info {};
  REQUIRE(::lstat(path.c_str(), &info) == 0);
  return info.st_mode & 07777U;
}

TEST_CASE("a file beneath a write root is created and replaced") {
  const TempDirectory tree;
  tree.directory("in/sub");
  const Authority authority = writing({tree.path("in")});
  require_written(authority, tree.path("in/new.txt"), "first");
  require_written(authority, tree.path("in/new.txt"), "second, longer");
  require_written(authority, tree.path("in/new.txt"), "");
  require_written(authority, tree.path("in/sub/../sub/deep.txt"), "deep");
  CHECK(entries(tree.path("in")) == 2);
}

TEST_CASE("a write root is not a read root, nor the other way round") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  require_outside(test::reading({tree.path("in")}), tree.path("in/ok.txt"));
  require_outside(Authority::validate({}), tree.path("in/ok.txt"));
}

TEST_CASE("directories may be reached through links that stay inside") {
  const TempDirectory tree;
  tree.directory("in/real");
  tree.directory("out");
  tree.link("in/alias", "real");
  tree.link("in/exit", tree.path("out"));
  tree.link("entry", "in");
  const Authority authority = writing({tree.path("in")});
  require_written(authority, tree.path("in/alias/a.txt"), "a");
  require_written(authority, tree.path("entry/b.txt"), "b");
  require_outside(authority, tree.path("in/exit/c.txt"));
  CHECK(fs::is_empty(tree.path("out")));
}

TEST_CASE("outside the roots nothing is written, and existing and missing look the same") {
  const TempDirectory tree;
  tree.directory("in");
  tree.file("out/secret.txt", "OUTSIDE-SECRET");
  const Authority authority = writing({tree.path("in")});
  for (const char* path : {"/out/secret.txt", "/out/missing.txt", "/nowhere/at/all",
                           "/out/secret.txt/below", "/in/../out/secret.txt", "/in/../new.txt", "/x",
                           "/in-evil", "/in", "/out/", "/in/..", "/out/..", "/nowhere/.."})
    require_outside(authority, tree.path() + path);
  CHECK(contents(tree.path("out/secret.txt")) == "OUTSIDE-SECRET");
  CHECK(entries(tree.path("out")) == 1);
  CHECK(entries(tree.path()) == 2);
}

TEST_CASE("a link as the last part is refused and its target unchanged") {
  const TempDirectory tree;
  tree.file("in/ok.txt", "inside");
  tree.file("out/secret.txt", "OUTSIDE-SECRET");
  tree.link("in/link", tree.path("out/secret.txt"));
  tree.link("in/dangling", tree.path("out/new.txt"));
  tree.link("in/inner", "ok.txt");
  const Authority authority = writing({tree.path("in")});
  for (const char* name : {"in/link", "in/dangling", "in/inner"}) {
    const Refusal refusal = refusal_of(write_text(authority, tree.path(name), "OVERWRITTEN"));
    CHECK(refusal.capability == "filesystem.write");
    CHECK_THAT(refusal.message,
               Catch::Contains("is not granted: its last part is a symbolic link"));
  }
  CHECK(contents(tree.path("out/secret.txt")) == "OUTSIDE-SECRET");
  CHECK(contents(tree.path("in/ok.txt")) == "inside");
  CHECK_FALSE(fs::exists(tree.path("out/new.txt")));
}

TEST_CASE("an outside file that shares an inode never changes") {
  const TempDirectory tree;
  tree.file("out/secret.txt", "OUTSIDE-SECRET");
  tree.directory("in");
  fs::create_hard_link(tree.path("out/secret.txt"), tree.path("in/hard"));
  require_written(writing({tree.path("in")}), tree.path("in/hard"), "new");
  CHECK(contents(tree.path("out/secret.txt")) == "OUTSIDE-SECRET");
}

TEST_CASE("what is not a regular file is not replaced") {
  const TempDirectory tree;
  tree.directory("in/dir");
  tree.file("in/file", "x");
  REQUIRE(::mkfifo(tree.path("in/pipe").c_str(), 0600) == 0);
  const Authority authority = writing({tree.path("in")});
  const auto reason = [&](const char* path) {
    return failure_of(write_text(authority, tree.path(path), "x")).reason;
  };
  CHECK(reason("in/dir") == "is a directory");
  CHECK(reason("in/dir/") == "is a directory");
  CHECK(reason("in/dir/.") == "is a directory");
  CHECK(reason("in/dir/..") == "is a directory");
  CHECK(reason("in/new/") == "no such file or directory");
  CHECK(reason("in/pipe") == "not a regular file");
  CHECK(reason("in/file/below") == "not a directory");
  CHECK(reason("in/file/") == "not a directory");
  CHECK(reason("in/missing/x") == "no such file or directory");
  CHECK(reason(("in/" + std::string(300, 'n')).c_str()) == "file name too long");
  CHECK(fs::is_fifo(tree.path("in/pipe")));
}

TEST_CASE("the limit counts UTF-8 bytes, and a refused text leaves no trace") {
  const TempDirectory tree;
  tree.file("in/old.txt", "old");
  AISandboxOptions options;
  options.filesystem.emplace().write = {tree.path("in")};
  options.resources.max_write_bytes = 16;
  const Authority authority = Authority::validate(options);
  const std::string euros = "\u20ac\u20ac\u20ac\u20ac\u20ac";
  require_written(authority, tree.path("in/e.txt"), euros + "x");
  const Refusal refusal =
      refusal_of(write_text(authority, tree.path("in/f.txt"), euros + "\u20ac"));
  CHECK(refusal.capability == "resource.bytes");
  CHECK(refusal.message == "Filesystem write of " + tree.path("in/f.txt") +
                               " exceeds 16 bytes (resources.maxWriteBytes)");
  CHECK(
      refusal_of(write_text(authority, tree.path("in/old.txt"), std::string(17, 'x'))).capability ==
      "resource.bytes");
  CHECK(contents(tree.path("in/old.txt")) == "old");
  CHECK(entries(tree.path("in")) == 2);
}

TEST_CASE("ill-formed text is written as replacement characters, and counted so") {
  const TempDirectory tree;
  tree.directory("in");
  const Authority authority = writing({tree.path("in")});
  CHECK(*write_text(authority, tree.path("in/x"), "a\xff") == 4);
  CHECK(contents(tree.path("in/x")) == "a\uFFFD");
}

TEST_CASE("an existing file keeps its permission bits, but no set-id bit") {
  const TempDirectory tree;
  tree.file("in/script", "x");
  tree.file("in/setid", "x");
  REQUIRE(::chmod(tree.path("in/script").c_str(), 0751) == 0);
  REQUIRE(::chmod(tree.path("in/setid").c_str(), 06755) == 0);
  const Authority authority = writing({tree.path("in")});
  const mode_t old_mask = ::umask(027);
  require_written(authority, tree.path("in/script"), "y");
  require_written(authority, tree.path("in/setid"), "y");
  require_written(authority, tree.path("in/new"), "y");
  ::umask(old_mask);
  CHECK(mode_of(tree.path("in/script")) == 0751);
  CHECK(mode_of(tree.path("in/setid")) == 0755);
  CHECK(mode_of(tree.path("in/new")) == 0640);
}

TEST_CASE("an existing file keeps its owner where the host may set it") {
  if (::geteuid() != 0) {
    WARN("skipped: needs root to make a file of another owner");
    return;
  }
  constexpr uid_t kOther = 12345;
  const TempDirectory tree;
  tree.file("in/theirs", "x");
  REQUIRE(::chown(tree.path("in/theirs").c_str(), kOther, kOther) == 0);
  REQUIRE(::chmod(tree.path("in/theirs").c_str(), 0660) == 0);
  require_written(writing({tree.path("in")}), tree.path("in/theirs"), "y");
  struct stat info {};
  REQUIRE(::stat(tree.path("in/theirs").c_str(), &info) == 0);
  CHECK(info.st_uid == kOther);
  CHECK(info.st_gid == kOther);
  CHECK((info.st_mode & 0777U) == 0660);
}

TEST_CASE("write permissions of the host's user decide inside a root") {
  const TempDirectory tree;
  tree.file("in/readonly.txt", "old");
  tree.directory("in/closed");
  const Authority authority = writing({tree.path("in")});
  REQUIRE(::chmod(tree.path("in").c_str(), 0777) == 0);
  REQUIRE(::chmod(tree.path("in/readonly.txt").c_str(), 0444) == 0);
  REQUIRE(::chmod(tree.path("in/closed").c_str(), 0555) == 0);
  const auto message = [&](const char* path) {
    return test::as_ordinary_user(
        [&] { return test::message_of(write_text(authority, tree.path(path), "new")); });
  };
  CHECK(message("in/allowed.txt") == "succeeded");
  CHECK_THAT(message("in/readonly.txt"), Catch::EndsWith("|permission denied"));
  CHECK_THAT(message("in/closed/x"), Catch::EndsWith("|permission denied"));
  CHECK(contents(tree.path("in/readonly.txt")) == "old");
  CHECK(entries(tree.path("in")) == 3);
}

TEST_CASE("a root that is a file is the only name that can be written") {
  const TempDirectory tree;
  tree.file("data/a.txt", "old");
  tree.file("data/b.txt", "other");
  tree.link("alias", "data");
  const Authority authority = writing({tree.path("data/a.txt")});
  require_written(authority, tree.path("data/a.txt"), "new");
  require_written(authority, tree.path("alias/a.txt"),
                  "again, though the inode is another one now");
  for (const char* path : {"data/b.txt", "data/new.txt", "data", "data/a.txt.bak"})
    require_outside(authority, tree.path(path));
  CHECK(contents(tree.path("data/b.txt")) == "other");
  CHECK(failure_of(write_text(authority, tree.path("data/a.txt/x"), "x")).reason ==
        "not a directory");
  fs::remove(tree.path("data/a.txt"));
  require_written(authority, tree.path("data/a.txt"), "created");
  fs::remove(tree.path("data/a.txt"));
  tree.link("data/a.txt", "b.txt");
  CHECK_THAT(refusal_of(write_text(authority, tree.path("data/a.txt"), "x")).message,
             Catch::Contains("symbolic link"));
}

TEST_CASE("write paths that no grant could mean are refused by their form") {
  const TempDirectory tree;
  tree.directory("in");
  const Authority authority = writing({tree.path("in")});
  for (const std::string& path : {std::string("in/x"), std::string(), std::string("~/x"),
                                  tree.path("in/x") + std::string(1, '\0'), tree.path("in/x\xff"),
                                  "/" + std::string(5000, 'a')})
    CHECK_THAT(refusal_of(write_text(authority, path, "x")).message,
               Catch::StartsWith("Filesystem write of ") && Catch::Contains(" is not granted: "));
  CHECK(fs::is_empty(tree.path("in")));
}

TEST_CASE("kernel file systems cannot be written under a grant of everything") {
  const Refusal refusal = refusal_of(write_text(writing({"/"}), "/proc/self/comm", "renamed"));
  CHECK(refusal.capability == "filesystem.write");
  CHECK_THAT(refusal.message, Catch::Contains("is not granted"));
}

}  // namespace
}  // namespace cordon
