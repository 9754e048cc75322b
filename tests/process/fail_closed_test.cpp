// Where a part of the strict sandbox cannot be had, a command is refused before it has run: the
// refusal names the strict sandbox, the part and the remedy.

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "engine/seccomp_filter.h"
#include "tests/process/sandboxed.h"
#include "tests/support/forked_process.h"
#include "tests/support/shell.h"

using namespace cordon;
using namespace cordon::test;
using Catch::Matchers::Contains;

namespace {

// What becomes of a command that leaves a file behind: "ran", or its refusal. "and left a file" is
// what none may say.
std::string run_marked(const CommandServiceOptions& service = Sandboxed::production()) {
  TemporaryDirectory tree;
  Sandboxed commands({"/bin/sh"}, service);
  commands.sandbox().filesystem.writable = {tree.path()};
  const SpawnedCommand ended =
      commands.run("/bin/sh", {"-c", "echo x > " + shell_word(tree / "mark")});
  const bool marked = !tree.read("mark").empty();
  if (ended.result) return marked ? "ran" : "ran without a mark";
  return refusal_of(ended) + (marked ? " and left a file" : "");
}

// Without the call `rule`, for the test's own process and what it starts.
std::string run_without(const engine::SyscallRule& rule, bool as_nobody = false) {
  return in_forked_process([&]() -> std::string {
    constexpr uid_t kNobody = 65534;
    if (as_nobody && ::geteuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
         ::setresuid(kNobody, kNobody, kNobody) != 0)) {
      return "still root";
    }
    engine::SyscallPolicy policy;
    policy.otherwise = engine::SyscallAction::kAllow;
    policy.rules.push_back(rule);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        !engine::install(engine::assemble(policy))) {
      return "no filter";
    }
    return run_marked();
  });
}

std::string run_without(long call) {
  return run_without({static_cast<int>(call), engine::SyscallAction::kRefuse});
}

void check_refused(const std::string& said, const std::string& mechanism,
                   const std::string& remedy) {
  INFO(said);
  CHECK_THAT(said, Contains("subprocess: Subprocess /bin/sh refused: the strict sandbox") &&
                       Contains("on this host: " + mechanism + ": ") && Contains(remedy) &&
                       !Contains("left a file"));
}

}  // namespace

TEST_CASE("fail closed: a command runs where nothing is missing") {
  if (!can_run()) return;
  CHECK(in_forked_process([] { return run_marked(); }) == "ran");
}

TEST_CASE("fail closed: without bubblewrap, or with another program by its name") {
  check_refused(run_marked({.launcher = CORDON_LAUNCH, .bubblewrap = "/no/such/bwrap"}),
                "bubblewrap", "install the package bubblewrap");
  check_refused(run_marked({.launcher = CORDON_LAUNCH, .bubblewrap = "/bin/true"}), "bubblewrap",
                "reinstall");
}

TEST_CASE("fail closed: without the launcher, or with another program by its name") {
  if (!can_run()) return;
  check_refused(run_marked({.launcher = "/no/such/cordon-launch"}), "launcher",
                "install cordon-launch beside cordon-engine");
  check_refused(run_marked({.launcher = "/bin/true"}), "bubblewrap", "reinstall");
}

TEST_CASE("fail closed: with a launcher of another build") {
  if (!can_run()) return;
  check_refused(run_marked({.launcher = CORDON_OTHER_BUILD_LAUNCH}), "launcher build",
                "install the one of build ");
}

TEST_CASE("fail closed: where user namespaces are switched off, for an ordinary user") {
  if (!can_run()) return;
  const auto said = run_without(
      {SYS_clone, engine::SyscallAction::kRefuse, {{0, CLONE_NEWUSER, CLONE_NEWUSER}}}, true);
  check_refused(said, "bubblewrap", "kernel.unprivileged_userns_clone");
}

TEST_CASE("fail closed: where mounting, Landlock, capabilities or filters are switched off") {
  if (!can_run()) return;
  check_refused(run_without(SYS_mount), "bubblewrap", "allow user namespaces");
  check_refused(run_without(SYS_pivot_root), "bubblewrap", "allow user namespaces");
  check_refused(run_without(SYS_landlock_create_ruleset), "landlock", "CONFIG_SECURITY_LANDLOCK");
  check_refused(run_without(SYS_landlock_restrict_self), "landlock", "CONFIG_SECURITY_LANDLOCK");
  check_refused(run_without(SYS_capset), "bubblewrap", "allow user namespaces");
  check_refused(run_without(SYS_seccomp), "seccomp", "seccomp profile");
}
