// What granted commands can do: usual programs run in the default view.

#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/process/sandboxed.h"
#include "tests/support/shell.h"

using namespace cordon;
using namespace cordon::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

bool have(const std::string& program) {
  if (::access(program.c_str(), X_OK) == 0) return true;
  WARN("skipped: there is no " + program);
  return false;
}

}  // namespace

TEST_CASE("a command gets its arguments as they are, without a shell") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/echo"});
  const SpawnedCommand ended =
      commands.run("/bin/echo", {"$(id)", "`id`", "a;b", "", "x  y", "*", "$HOME", "l1\nl2"});
  REQUIRE(ended.result.has_value());
  CHECK(ended.result->out == "$(id) `id` a;b  x  y * $HOME l1\nl2\n");
  CHECK(ended.result->err.empty());
  CHECK(ended.result->code == 0);
  CHECK(ended.result->signal == 0);
}

TEST_CASE(
    "a command has exactly the granted environment, an empty input and the scratch directory") {
  if (!can_run()) return;
  Sandboxed commands({"/usr/bin/env", "/bin/cat", "/bin/pwd"});
  commands.grant().environment = {{"ONLY", "1"}, {"EMPTY", ""}};
  CHECK(commands.output("/usr/bin/env") == "EMPTY=\nONLY=1\n");
  CHECK(commands.output("/bin/cat").empty());
  CHECK(commands.output("/bin/pwd") == std::string(kScratchDirectory) + "\n");
}

TEST_CASE("exit status and signal are told apart") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh", kTestee});
  CHECK(commands.run("/bin/sh", {"-c", "exit 7"}).result->code == 7);
  const SpawnedCommand killed = commands.run(kTestee, {"raise", "9"});
  REQUIRE(killed.result.has_value());
  CHECK(killed.result->code == -1);
  CHECK(killed.result->signal == 9);
  // Not what a shell makes of it, and not the sandbox's own end.
  CHECK(commands.run("/bin/sh", {"-c", "kill -TERM $$"}).result->signal == 15);
}

TEST_CASE("both streams arrive, each by itself") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  const SpawnedCommand ended = commands.run("/bin/sh", {"-c", "echo out; echo err >&2"});
  REQUIRE(ended.result.has_value());
  CHECK(ended.result->out == "out\n");
  CHECK(ended.result->err == "err\n");
}

TEST_CASE("the granted name is argv[0], whatever it links to") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  CHECK(commands.shell("echo $0") == "/bin/sh\n");
}

TEST_CASE("Python finds its standard library") {
  if (!can_run() || !have("/usr/bin/python3")) return;
  Sandboxed commands({"/usr/bin/python3"});
  CHECK(commands.output("/usr/bin/python3",
                        {"-c",
                         "import json, sqlite3, decimal, re, tempfile, pathlib, hashlib, ssl\n"
                         "f = tempfile.NamedTemporaryFile(); f.write(b'x')\n"
                         "print(json.dumps([sqlite3.connect(':memory:').execute('select 6*7')"
                         ".fetchone()[0], pathlib.Path.home().as_posix()]))"}) ==
        "[42, \"" + std::string(kScratchDirectory) + "\"]\n");
}

TEST_CASE("jq, perl, awk and git run in the default view") {
  if (!can_run()) return;
  if (have("/usr/bin/jq")) {
    Sandboxed commands({"/usr/bin/jq"});
    CHECK(commands.output("/usr/bin/jq", {"-n", "-c", "[1,2]|map(.+1)"}) == "[2,3]\n");
  }
  if (have("/usr/bin/perl")) {
    Sandboxed commands({"/usr/bin/perl"});
    CHECK(commands.output("/usr/bin/perl", {"-MList::Util=sum", "-e", "print sum(1..4)"}) == "10");
  }
  // By way of /etc/alternatives.
  if (have("/usr/bin/awk")) {
    Sandboxed commands({"/usr/bin/awk"});
    CHECK(commands.output("/usr/bin/awk", {"BEGIN { print 6 * 7 }"}) == "42\n");
  }
  if (have("/usr/bin/git")) {
    Sandboxed commands({"/usr/bin/git"});
    CHECK_THAT(commands.output("/usr/bin/git", {"--version"}), StartsWith("git version"));
    CHECK_THAT(commands.output("/usr/bin/git", {"init", "-q", "r"}), !Contains("fatal"));
    const SpawnedCommand log = commands.run("/usr/bin/git", {"log"});
    CHECK_THAT(log.result->err, Contains("not a git repository"));  // scratch is new each time
  }
}

TEST_CASE("a granted script runs, by its interpreter") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  const std::string shell = tree.write("shell", "#!/bin/sh -e\necho shell $0 $1\n", 0755);
  const std::string binary = tree.write("odd", "no program\n", 0755);
  if (::geteuid() == 0) CHECK(::chmod(tree.path().c_str(), 0755) == 0);
  Sandboxed commands({shell, binary});
  CHECK(commands.output(shell, {"a"}) == "shell " + shell + " a\n");
  CHECK(refusal_of(commands.run(binary)) ==
        "error: Subprocess " + binary + " could not be executed: Exec format error");
  if (have("/usr/bin/python3")) {
    const std::string python = tree.write("python", "#!/usr/bin/env python3\nprint(6 * 7)\n", 0755);
    CHECK(Sandboxed({python}).output(python) == "42\n");
  }
}

TEST_CASE("read roots are seen with the host's rights, read-only and not executable") {
  if (!can_run()) return;
  TemporaryDirectory tree;  // mode 0700, root's where root runs the tests
  tree.write("in/note.txt", "granted", 0600);
  tree.write("in/tool", "#!/bin/sh\necho ran\n", 0755);
  tree.write("out/secret.txt", "OUTSIDE");
  Sandboxed commands({"/bin/sh", "/bin/cat"});
  commands.options.filesystem = SandboxFilesystemGrant{.read = {tree / "in"}};
  CHECK(commands.output("/bin/cat", {tree / "in/note.txt"}) == "granted");
  CHECK_THAT(commands.output("/bin/cat", {tree / "out/secret.txt"}), Contains("No such file"));
  CHECK_THAT(commands.shell("echo x > " + shell_word(tree / "in/note.txt")), !Contains("granted"));
  CHECK_THAT(
      commands.shell("(echo x > " + shell_word(tree / "in/new") + ") 2>/dev/null || echo failed"),
      EndsWith("failed\n"));
  CHECK(tree.read("in/note.txt") == "granted");
  CHECK_THAT(commands.shell(shell_word(tree / "in/tool")), Contains("Permission denied"));
}

TEST_CASE("readonly and writable of the policy are seen as they say") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  tree.write("ro/note.txt", "note");
  tree.write("rw/old.txt", "old");
  tree.write("ro/inner/x.txt", "x");
  Sandboxed commands({"/bin/sh", "/bin/cat"});
  commands.sandbox().filesystem = {.readonly = {tree / "ro"},
                                   .writable = {tree / "rw", tree / "ro/inner"}};
  CHECK(commands.shell("cd " + shell_word(tree.path()) +
                       "; cat ro/note.txt; echo new > rw/new.txt; echo more >> "
                       "rw/old.txt; echo y > ro/inner/y.txt; (echo z > ro/z.txt) 2>/dev/null || "
                       "echo refused") == "noterefused\n");
  CHECK(tree.read("rw/new.txt") == "new\n");
  CHECK(tree.read("rw/old.txt") == "oldmore\n");
  CHECK(tree.read("ro/inner/y.txt") == "y\n");
  CHECK(tree.read("ro/z.txt").empty());
  // What commands make belongs to the host's user.
  struct stat info {};
  REQUIRE(::stat((tree / "rw/new.txt").c_str(), &info) == 0);
  CHECK(info.st_uid == ::geteuid());
  // Not even here can anything be executed.
  CHECK_THAT(
      commands.shell("cd " + shell_word(tree / "rw") + "; echo 'echo ran' > t; chmod +x t; ./t"),
      Contains("Permission denied"));
}

TEST_CASE("a root that a command has put something else in place of is not shown") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  tree.write("all/in/note.txt", "note");
  tree.write("out/secret.txt", "OUTSIDE");
  Sandboxed commands({"/bin/sh", "/bin/cat", "/bin/mv", "/bin/ln"});
  commands.options.filesystem = SandboxFilesystemGrant{.read = {tree / "all/in"}};
  commands.sandbox().filesystem.writable = {tree / "all"};
  // The root itself is a mount there, which cannot be renamed; what leads to it can, from outside.
  CHECK_THAT(commands.shell("cd " + shell_word(tree / "all") + "; mv in away"), Contains("busy"));
  std::filesystem::rename(tree / "all/in", tree / "all/away");
  std::filesystem::create_directory_symlink(tree / "out", tree / "all/in");
  const SpawnedCommand ended = commands.run("/bin/cat", {tree / "all/in/secret.txt"});
  CHECK_THAT(refusal_of(ended), Contains("strict sandbox"));
}

TEST_CASE("a grant of the whole file system shows it, but for kernel and devices") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  const std::string note = tree.write("note.txt", "note");
  Sandboxed commands({"/bin/sh", "/bin/cat", "/bin/ls"});
  commands.options.filesystem = SandboxFilesystemGrant{.read = {"/"}};
  CHECK(commands.output("/bin/cat", {note}) == "note");
  CHECK(commands.output("/bin/ls", {"/sys"}).find("No such file") != std::string::npos);
  CHECK_THAT(commands.shell("/usr/bin/id"), Contains("Permission denied"));
  CHECK_THAT(commands.shell("echo x > " + note), !Contains("note.txt: No such"));
  CHECK(tree.read("note.txt") == "note");
}
