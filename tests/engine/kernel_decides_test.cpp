// The policies of the zygote, its init and the compiler service, judged by the kernel: a process
// with that very filter makes every system call, and what becomes of it is what the policy says.
// (Of a script's child: confinement_test.cpp.)

#include <linux/audit.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cerrno>
#include <cstdint>

#include "engine/seccomp_filter.h"
#include "engine/syscall_policy.h"
#include "tests/engine/bpf_evaluator.h"
#include "tests/support/sanitized.h"

using namespace cordon;

namespace {

// What the last of them may be changes with the kernel; unknown numbers are tried as well.
constexpr int kNumbers = 520;
constexpr int kUretprobe = 335;
constexpr int kUprobe = 336;

constexpr uid_t kNobody = 65534;
constexpr int kRefused = 100;  // exit codes
constexpr int kReturned = 101;
constexpr int kNoFilter = 102;
constexpr unsigned kPatienceSeconds = 60;
constexpr long kNothing = -1;  // no descriptor, address, process or flag

// Where a filter would let pass what it must not, it is an ordinary user's attempt that fails.
[[noreturn]] void attempt(const engine::SeccompFilter& filter, int number) {
  if (::geteuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0) ::_exit(kNoFilter);
  ::alarm(kPatienceSeconds);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !engine::install(filter)) {
    ::_exit(kNoFilter);
  }
  errno = 0;
  ::syscall(number, kNothing, kNothing, kNothing, kNothing, kNothing, kNothing);
  ::_exit(errno == EACCES ? kRefused : kReturned);
}

// The wait status of a process that made the call.
int status_of(const engine::SeccompFilter& filter, int number) {
  const pid_t pid = ::fork();
  if (pid == 0) attempt(filter, number);
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid) FAIL("no process to try a call");
  return status;
}

std::uint32_t verdict(const engine::SeccompFilter& filter, int number) {
  seccomp_data data{};
  data.nr = number;
  data.arch = AUDIT_ARCH_X86_64;
  for (auto& argument : data.args) argument = static_cast<std::uint64_t>(kNothing);
  return test::evaluate(filter, data);
}

void check_every_call(const engine::SyscallPolicy& policy) {
  if (test::kSanitized) {
    WARN("skipped: a sanitizer makes system calls of its own");
    return;
  }
  const engine::SeccompFilter filter = engine::assemble(policy);
  int killed = 0;
  for (int number = 0; number < kNumbers; ++number) {
    if (number == kUretprobe || number == kUprobe) continue;  // see confinement_test.cpp
    INFO("system call " << number);
    const int status = status_of(filter, number);
    const bool sigsys = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
    const bool refused = WIFEXITED(status) && WEXITSTATUS(status) == kRefused;
    REQUIRE_FALSE((WIFEXITED(status) && WEXITSTATUS(status) == kNoFilter));
    REQUIRE_FALSE((WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM));
    const std::uint32_t expected = verdict(filter, number);
    CHECK(sigsys == (expected == SECCOMP_RET_KILL_PROCESS));
    CHECK(refused == (expected == (SECCOMP_RET_ERRNO | EACCES)));
    killed += sigsys ? 1 : 0;
  }
  CHECK(killed > kNumbers / 2);
}

}  // namespace

TEST_CASE("the kernel decides every system call of a zygote as its policy says") {
  SECTION("with a JIT") { check_every_call(engine::zygote_policy(true)); }
  SECTION("without") { check_every_call(engine::zygote_policy(false)); }
}

TEST_CASE("the kernel decides every system call of a namespace's init as its policy says") {
  check_every_call(engine::init_policy());
}

TEST_CASE("the kernel decides every system call of the compiler service as its policy says") {
  check_every_call(engine::compiler_policy(5, ::getpid()));
}
