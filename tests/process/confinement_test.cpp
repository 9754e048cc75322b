// The walls, each attacked from inside, and the same attempt where it is allowed.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/process/sandboxed.h"
#include "tests/support/shell.h"

using namespace cordon;
using namespace cordon::test;
using Catch::Matchers::Contains;

namespace {

const std::string kNotPermitted = "Operation not permitted";
const std::string kDenied = "Permission denied";

}  // namespace

TEST_CASE("a command has no capability and can gain none") {
  if (!can_run()) return;
  CHECK(Sandboxed({kTestee}).probe("capabilities") ==
        "CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n"
        "CapBnd:\t0000000000000000\nCapAmb:\t0000000000000000\nNoNewPrivs:\t1");
}

TEST_CASE("a command has three descriptors, its own session and no terminal") {
  if (!can_run()) return;
  const int open_in_host = ::open("/etc/passwd", O_RDONLY);  // inheritable
  Sandboxed commands({kTestee});
  CHECK(commands.probe("descriptors") == "0 1 2 ");
  CHECK(commands.probe("session") == "allowed");
  CHECK(commands.probe("terminal") == "No such file or directory");
  ::close(open_in_host);
}

TEST_CASE("system calls that reach out of the sandbox are refused") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  for (const char* const probe :
       {"ptrace", "keyctl", "mount", "unshare", "clone_user", "bpf", "userfaultfd", "io_uring",
        "process_vm_readv", "tiocsti", "set_user_id", "make_set_user_id", "memory_file", "socket",
        "socketpair"}) {
    INFO(probe);
    CHECK(commands.probe(probe, "1") == kNotPermitted);
  }
  CHECK(commands.probe("newer_call") == "Function not implemented");
  CHECK(commands.probe("thread") == "allowed");
  CHECK(commands.probe("getppid") == "allowed");
}

TEST_CASE("an internet socket without a network grant ends the command") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"socket", "2"}, {"socket", "10"}, {"udp"}}) {
    const SpawnedCommand ended = commands.run(kTestee, arguments);
    REQUIRE(ended.result.has_value());
    CHECK(ended.result->signal == SIGSYS);
  }
}

TEST_CASE("calls by another architecture's table kill") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  for (const char* const probe : {"foreign_call", "x32_call"}) {
    INFO(probe);
    const SpawnedCommand ended = commands.run(kTestee, {probe});
    REQUIRE(ended.result.has_value());
    CHECK(ended.result->signal == SIGSYS);
    CHECK(ended.result->out.empty());
  }
}

TEST_CASE("a granted shell executes granted programs and nothing else") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  Sandboxed commands({"/bin/sh", "/bin/true"});
  commands.sandbox().process.allowed_binaries = {"/bin/echo"};
  CHECK(commands.shell("/bin/echo yes; /bin/true && echo also; /bin/sh -c 'echo itself'") ==
        "yes\nalso\nitself\n");
  CHECK_THAT(commands.shell("/usr/bin/id"), Contains("not found"));
  CHECK_THAT(commands.shell("/usr/lib/git-core/git --version; /cordon/launch"),
             !Contains("git version") && Contains(kDenied));
}

TEST_CASE("nothing is executed by way of the loader") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  Sandboxed commands({"/bin/sh", "/bin/cp", "/bin/echo"});
  // A file that is on an executable mount, and which Landlock lets nobody execute.
  const std::string said = commands.shell(
      "/lib64/ld-linux-x86-64.so.2 /bin/echo LOADED; "
      "/lib64/ld-linux-x86-64.so.2 /cordon/launch; "
      "cp /bin/echo e; ./e COPIED; /lib64/ld-linux-x86-64.so.2 ./e LOADED; echo end");
  CHECK_THAT(said, !Contains("LOADED\n") && !Contains("COPIED\n") && Contains("end\n"));
}

TEST_CASE("code is mapped from the system's libraries alone") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  const std::string note = tree.write("note.txt", std::string(4096, 'x'));
  Sandboxed commands({kTestee});
  commands.options.filesystem = SandboxFilesystemGrant{.read = {tree.path()}};
  CHECK(commands.probe("map_code", note) == kNotPermitted);
  CHECK(commands.probe("map_code", "/usr/share/doc") != "allowed");
  CHECK(commands.probe("map_code", "/lib64/ld-linux-x86-64.so.2") == "allowed");
}

TEST_CASE("allowExec false: the command runs and executes nothing, itself included") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh", "/bin/echo", kTestee});
  commands.sandbox().process.allow_exec = false;
  CHECK(commands.shell("echo built in") == "built in\n");
  CHECK_THAT(commands.shell("/bin/echo no"), Contains(kNotPermitted));
  CHECK(commands.probe("execute", kTestee) == kNotPermitted);
}

TEST_CASE("allowFork false: no processes, but threads") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  commands.sandbox().process.allow_fork = false;
  CHECK(commands.probe("forks", "1") == "0");
  CHECK(commands.probe("thread") == "allowed");
  CHECK(Sandboxed({kTestee}).probe("forks", "1") == "1");
}

TEST_CASE("a policy's own list of system calls comes on top of the built-in one") {
  if (!can_run()) return;
  using Mode = SandboxProcessPolicy::Syscalls::Mode;
  Sandboxed denying({kTestee});
  denying.sandbox().syscalls = {Mode::kDenylist, {"getppid"}};
  CHECK(denying.probe("getppid") == kNotPermitted);
  CHECK(denying.probe("thread") == "allowed");

  Sandboxed allowing({kTestee, "/bin/echo"});
  allowing.sandbox().syscalls = {Mode::kAllowlist, {"ptrace",
                                                    "read",
                                                    "write",
                                                    "openat",
                                                    "close",
                                                    "mmap",
                                                    "mprotect",
                                                    "munmap",
                                                    "brk",
                                                    "newfstatat",
                                                    "fstat",
                                                    "pread64",
                                                    "arch_prctl",
                                                    "set_tid_address",
                                                    "set_robust_list",
                                                    "rseq",
                                                    "prlimit64",
                                                    "getrandom",
                                                    "access",
                                                    "futex",
                                                    "lseek"}};
  CHECK(allowing.output("/bin/echo", {"x"}) == "x\n");
  CHECK(allowing.probe("getppid") == kNotPermitted);
  CHECK(allowing.probe("ptrace") == kNotPermitted);  // still
}

TEST_CASE("nothing can be written but the scratch directory") {
  if (!can_run()) return;
  TemporaryDirectory tree;
  Sandboxed commands({"/bin/sh", "/bin/cat", kTestee});
  CHECK(
      commands.shell("for d in '' / " + shell_word(tree.path()) +
                     " /tmp /var/tmp /dev /dev/shm /etc /usr /usr/lib /cordon /proc; do (echo x > "
                     "$d/cordon-marker) 2>/dev/null && echo wrote $d; done; echo x > y; cat y; "
                     "echo x > /dev/null") == "x\n");
  CHECK(commands.probe("write", "/proc/self/comm") == kDenied);
  CHECK(commands.probe("write", "/proc/1/oom_score_adj") == kDenied);
}

TEST_CASE("the host's processes and kernel are not to be seen") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh", "/bin/ls", "/bin/cat"});
  CHECK_THAT(commands.shell("cat /proc/1/environ /proc/1/maps /proc/1/mem"), Contains(kDenied));
  CHECK_THAT(commands.shell("ls /proc/sys /proc/kcore /proc/net /sys /home /root /run"),
             !Contains("\n/proc/kcore\n"));
  CHECK_THAT(commands.output("/bin/ls", {"/proc/sys"}), Contains("No such file"));
  CHECK_THAT(commands.output("/bin/ls", {"/proc"}), !Contains("cmdline") && !Contains("kallsyms"));
  // Signals reach nobody outside, and not the sandbox's first process.
  CHECK(commands.shell("kill -9 1; echo still here") == "still here\n");
}

TEST_CASE("a network grant opens what it says") {
  if (!can_run()) return;
  Sandboxed out({kTestee});
  out.sandbox().network.outbound = true;
  CHECK(out.probe("socket", "2") == "allowed");
  CHECK(out.probe("socket", "1") == kNotPermitted);  // socket files of others
  CHECK(out.probe("connect") == "allowed");
  CHECK(out.probe("listen") == kNotPermitted);
  CHECK(out.probe("bind") == kNotPermitted);
  Sandboxed in({kTestee});
  in.sandbox().network.inbound = true;
  CHECK(in.probe("listen") == "allowed");
  CHECK(in.probe("bind") == "allowed");
  CHECK(in.probe("connect") == kNotPermitted);
  CHECK(in.probe("udp") == kNotPermitted);
}

TEST_CASE("the environment is on no command line outside of the sandbox") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh", "/bin/cat"});
  commands.grant().environment = {{"TOKEN", "tok-5up3r-9d41c7"}};
  // The launcher, as the command sees it; bubblewrap has less.
  CHECK_THAT(commands.shell("cat /proc/1/cmdline"), !Contains("tok-5up3r"));
}
