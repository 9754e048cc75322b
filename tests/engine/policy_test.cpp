// The system call policies as data: what the assembled filters say, call by call.

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <catch2/catch.hpp>

#include <array>
#include <cerrno>
#include <random>
#include <set>

#include "engine/seccomp_filter.h"
#include "engine/syscall_policy.h"
#include "tests/engine/bpf_evaluator.h"

using namespace cordon::engine;
using cordon::test::evaluate;

namespace {

using Arguments = std::array<std::uint64_t, 6>;

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EACCES;
constexpr std::uint32_t kKill = SECCOMP_RET_KILL_PROCESS;
constexpr int kLastNumber = 1000;

seccomp_data call(int number, const Arguments& arguments = {},
                  std::uint32_t arch = AUDIT_ARCH_X86_64) {
  seccomp_data data{};
  data.nr = number;
  data.arch = arch;
  std::copy(arguments.begin(), arguments.end(), data.args);
  return data;
}

// Several filters: the kernel takes the strictest verdict, which is the numerically smallest as a
// signed number.
std::uint32_t strictest(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
}

std::uint32_t in_child(const seccomp_data& data, bool jit = true) {
  static const auto kBase = assemble(zygote_policy(true));
  static const auto kBaseJitless = assemble(zygote_policy(false));
  static const auto kChild = assemble(child_policy());
  return strictest(evaluate(jit ? kBase : kBaseJitless, data), evaluate(kChild, data));
}

// The policy read directly: the specification of the assembler.
std::uint32_t interpret(const SyscallPolicy& policy, const seccomp_data& data) {
  const auto verdict = [](SyscallAction action) {
    return action == SyscallAction::kAllow    ? kAllow
           : action == SyscallAction::kRefuse ? kRefuse
                                              : kKill;
  };
  if (data.arch != AUDIT_ARCH_X86_64 || static_cast<std::uint32_t>(data.nr) >= 0x4000'0000) {
    return kKill;
  }
  for (const SyscallRule& rule : policy.rules) {
    if (rule.number != data.nr) continue;
    bool all = true;
    for (const ArgumentTest& test : rule.tests) {
      all = all && (data.args[test.index] & test.mask) == test.value;
    }
    if (all) return verdict(rule.action);
  }
  return verdict(policy.otherwise);
}

}  // namespace

TEST_CASE("a child may make exactly these calls") {
  const std::set<int> allowed{
      SYS_read,      SYS_write,      SYS_writev,          SYS_close,        SYS_mmap,
      SYS_munmap,    SYS_mprotect,   SYS_madvise,         SYS_mremap,       SYS_brk,
      SYS_futex,     SYS_exit_group, SYS_rt_sigreturn,    SYS_rt_sigaction, SYS_rt_sigprocmask,
      SYS_getrandom, SYS_poll,       SYS_restart_syscall, SYS_sched_yield,  SYS_getpid,
      SYS_gettid,    SYS_getrusage,  SYS_clock_gettime,   SYS_gettimeofday};
  const std::set<int> refused{SYS_openat, SYS_readlink, SYS_newfstatat, SYS_access, SYS_sysinfo};
  for (int number = 0; number < kLastNumber; ++number) {
    INFO("system call " << number);
    const std::uint32_t expected = allowed.contains(number)   ? kAllow
                                   : refused.contains(number) ? kRefuse
                                                              : kKill;
    CHECK(in_child(call(number)) == expected);
  }
}

TEST_CASE("the zygote may in addition fork and pass descriptors") {
  const auto filter = assemble(zygote_policy(true));
  for (const int number : {SYS_recvmsg, SYS_sendmsg, SYS_close_range, SYS_dup2}) {
    CHECK(evaluate(filter, call(number)) == kAllow);
  }
  CHECK(evaluate(filter, call(SYS_clone, {CLONE_PARENT | CLONE_PIDFD})) == kAllow);
  CHECK(evaluate(filter, call(SYS_clone, {CLONE_PARENT | CLONE_PIDFD | CLONE_VM})) == kKill);
  CHECK(evaluate(filter, call(SYS_clone, {CLONE_PIDFD})) == kKill);
  CHECK(evaluate(filter, call(SYS_clone, {CLONE_PARENT | CLONE_PIDFD | 1ULL << 32})) == kKill);
  CHECK(evaluate(filter, call(SYS_clone3)) == kKill);
  CHECK(evaluate(filter, call(SYS_seccomp, {SECCOMP_SET_MODE_FILTER})) == kAllow);
  CHECK(evaluate(filter, call(SYS_seccomp, {SECCOMP_SET_MODE_STRICT})) == kKill);
  CHECK(evaluate(filter, call(SYS_prlimit64, {0})) == kAllow);
  CHECK(evaluate(filter, call(SYS_prlimit64, {1})) == kKill);
  CHECK(evaluate(filter, call(SYS_prctl)) == kKill);
}

TEST_CASE("the zygote may make exactly these calls, whatever their arguments") {
  const std::set<int> allowed{
      SYS_read,      SYS_write,      SYS_writev,          SYS_close,        SYS_mmap,
      SYS_munmap,    SYS_mprotect,   SYS_madvise,         SYS_mremap,       SYS_brk,
      SYS_futex,     SYS_exit_group, SYS_rt_sigreturn,    SYS_rt_sigaction, SYS_rt_sigprocmask,
      SYS_getrandom, SYS_poll,       SYS_restart_syscall, SYS_sched_yield,  SYS_getpid,
      SYS_gettid,    SYS_getrusage,  SYS_clock_gettime,   SYS_gettimeofday, SYS_recvmsg,
      SYS_sendmsg,   SYS_dup2,       SYS_close_range};
  const std::set<int> refused{SYS_openat, SYS_readlink, SYS_newfstatat, SYS_access, SYS_sysinfo};
  const auto filter = assemble(zygote_policy(true));
  for (int number = 0; number < kLastNumber; ++number) {
    INFO("system call " << number);
    // The first argument is of no call that is allowed for some value of it.
    CHECK(evaluate(filter, call(number, {12345})) == (allowed.contains(number)   ? kAllow
                                                      : refused.contains(number) ? kRefuse
                                                                                 : kKill));
  }
}

TEST_CASE("what is both writable and executable kills") {
  for (const int number : {SYS_mmap, SYS_mprotect}) {
    const auto with = [&](std::uint64_t protection, bool jit) {
      return in_child(call(number, {0, 4096, protection}), jit);
    };
    CHECK(with(PROT_READ | PROT_WRITE, true) == kAllow);
    CHECK(with(PROT_READ | PROT_EXEC, true) == kAllow);
    CHECK(with(PROT_WRITE | PROT_EXEC, true) == kKill);
    CHECK(with(PROT_READ | PROT_WRITE | PROT_EXEC, true) == kKill);
    CHECK(with(PROT_READ | PROT_WRITE, false) == kAllow);
    CHECK(with(PROT_EXEC, false) == kKill);
    CHECK(with(PROT_READ | PROT_EXEC, false) == kKill);
  }
}

TEST_CASE("calls by another table kill, allowed or not") {
  constexpr int kX32 = 0x4000'0000;
  CHECK(in_child(call(SYS_getpid)) == kAllow);
  CHECK(in_child(call(SYS_getpid | kX32)) == kKill);
  CHECK(in_child(call(SYS_getpid, {}, AUDIT_ARCH_I386)) == kKill);
  CHECK(in_child(call(-1)) == kKill);
}

TEST_CASE("the init of a namespace can only wait and end") {
  const auto filter = assemble(init_policy());
  const std::set<int> allowed{SYS_poll, SYS_restart_syscall, SYS_close_range, SYS_exit_group};
  for (int number = 0; number < kLastNumber; ++number) {
    CHECK(evaluate(filter, call(number)) == (allowed.contains(number) ? kAllow : kKill));
  }
}

TEST_CASE("the compiler executes one descriptor, signals itself and makes threads") {
  const auto filter = assemble(compiler_policy(5, 2));
  CHECK(evaluate(filter, call(SYS_execveat, {5, 1, 1, 1, AT_EMPTY_PATH})) == kAllow);
  CHECK(evaluate(filter, call(SYS_execveat, {4, 1, 1, 1, AT_EMPTY_PATH})) == kKill);
  CHECK(evaluate(filter, call(SYS_execveat, {5, 1, 1, 1, 0})) == kKill);
  CHECK(evaluate(filter, call(SYS_execve)) == kKill);
  CHECK(evaluate(filter, call(SYS_tgkill, {2, 7, 23})) == kAllow);
  CHECK(evaluate(filter, call(SYS_tgkill, {1, 7, 23})) == kKill);
  CHECK(evaluate(filter, call(SYS_kill, {2, 9})) == kKill);
  constexpr std::uint64_t kThread =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_THREAD;
  CHECK(evaluate(filter, call(SYS_clone, {kThread})) == kAllow);
  CHECK(evaluate(filter, call(SYS_clone, {kThread | CLONE_SETTLS})) == kAllow);
  CHECK(evaluate(filter, call(SYS_clone, {kThread | CLONE_NEWUSER})) == kKill);
  CHECK(evaluate(filter, call(SYS_clone, {0x11})) == kKill);
  CHECK(evaluate(filter, call(SYS_clone3)) == kKill);
  CHECK(evaluate(filter, call(SYS_openat)) == kRefuse);
  CHECK(evaluate(filter, call(SYS_mmap, {0, 4096, PROT_READ | PROT_WRITE})) == kAllow);
  CHECK(evaluate(filter, call(SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC})) == kKill);
  for (const int number : {SYS_socket, SYS_connect, SYS_fork, SYS_ptrace, SYS_unshare, SYS_open}) {
    CHECK(evaluate(filter, call(number)) == kKill);
  }
}

TEST_CASE("the compiler may make exactly these calls, whatever their arguments") {
  const std::set<int> allowed{SYS_read,
                              SYS_write,
                              SYS_close,
                              SYS_mmap,
                              SYS_mprotect,
                              SYS_munmap,
                              SYS_madvise,
                              SYS_brk,
                              SYS_futex,
                              SYS_exit,
                              SYS_exit_group,
                              SYS_rt_sigreturn,
                              SYS_rt_sigaction,
                              SYS_rt_sigprocmask,
                              SYS_sigaltstack,
                              SYS_getrandom,
                              SYS_sched_yield,
                              SYS_getpid,
                              SYS_gettid,
                              SYS_clock_gettime,
                              SYS_nanosleep,
                              SYS_fcntl,
                              SYS_epoll_create1,
                              SYS_epoll_ctl,
                              SYS_epoll_pwait,
                              SYS_eventfd2,
                              SYS_pipe2,
                              SYS_arch_prctl,
                              SYS_sched_getaffinity,
                              SYS_getcwd,
                              SYS_restart_syscall,
                              SYS_setitimer};
  const std::set<int> refused{
      SYS_openat, SYS_readlinkat, SYS_newfstatat,      SYS_prlimit64, SYS_prctl,          SYS_uname,
      SYS_ioctl,  SYS_readlink,   SYS_set_tid_address, SYS_rseq,      SYS_set_robust_list};
  const auto filter = assemble(compiler_policy(5, 2));
  for (int number = 0; number < kLastNumber; ++number) {
    INFO("system call " << number);
    CHECK(evaluate(filter, call(number, {12345})) == (allowed.contains(number)   ? kAllow
                                                      : refused.contains(number) ? kRefuse
                                                                                 : kKill));
  }
  CHECK(evaluate(filter, call(SYS_read | 0x4000'0000)) == kKill);
  CHECK(evaluate(filter, call(SYS_read, {}, AUDIT_ARCH_I386)) == kKill);
}

TEST_CASE("assembled filters agree with their policies") {
  std::mt19937_64 random(20'240'607);
  for (const SyscallPolicy& policy : {zygote_policy(true), zygote_policy(false), child_policy(),
                                      init_policy(), compiler_policy(5, 2)}) {
    const auto filter = assemble(policy);
    for (int round = 0; round < 20'000; ++round) {
      const auto& rule = policy.rules[random() % policy.rules.size()];
      seccomp_data data = call(random() % 4 == 0 ? static_cast<int>(random() % 500) : rule.number);
      for (auto& argument : data.args) argument = random() % 3 == 0 ? random() : random() % 8;
      // Near misses: take the tested values, then flip at most one bit.
      for (const ArgumentTest& test : rule.tests) {
        data.args[test.index] = test.value;
        if (random() % 2 == 0) data.args[test.index] ^= std::uint64_t{1} << (random() % 64);
      }
      CHECK(evaluate(filter, data) == interpret(policy, data));
    }
  }
}
