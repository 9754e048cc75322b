#include "engine/syscall_policy.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <initializer_list>

namespace cordon::engine {

namespace {

static_assert(kForkFlags == (CLONE_PARENT | CLONE_PIDFD));

// Go's runtime makes its threads with these, since 1.26 also with CLONE_SETTLS.
constexpr std::uint64_t kGoThreadFlags =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_THREAD;

void add(SyscallPolicy& policy, SyscallAction action, std::initializer_list<int> numbers) {
  for (const int number : numbers) policy.rules.push_back({number, action});
}

void add_tested(SyscallPolicy& policy, SyscallAction action, int number,
                std::vector<ArgumentTest> tests) {
  policy.rules.push_back({number, action, std::move(tests)});
}

ArgumentTest argument_is(std::uint8_t index, std::uint64_t value) {
  return {index, ~std::uint64_t{0}, value};
}

// Memory that matches `protection` in all its bits kills; any other may be mapped.
void add_memory(SyscallPolicy& policy, std::uint64_t protection) {
  for (const int number : {SYS_mmap, SYS_mprotect}) {
    add_tested(policy, SyscallAction::kKill, number, {{2, protection, protection}});
    add(policy, SyscallAction::kAllow, {number});
  }
}

}  // namespace

SyscallPolicy zygote_policy(bool jit) {
  SyscallPolicy policy;
  // What a child needs while it runs a job.
  add(policy, SyscallAction::kAllow,
      {SYS_read,           SYS_write,       SYS_writev,       SYS_close,
       SYS_munmap,         SYS_madvise,     SYS_mremap,       SYS_brk,
       SYS_futex,          SYS_exit_group,  SYS_rt_sigreturn, SYS_rt_sigaction,
       SYS_rt_sigprocmask, SYS_getrandom,   SYS_poll,         SYS_restart_syscall,
       SYS_sched_yield,    SYS_getpid,      SYS_gettid,       SYS_getrusage,
       SYS_clock_gettime,  SYS_gettimeofday});
  // What the C library and the engine try without needing it: time zone files, memory sizes.
  add(policy, SyscallAction::kRefuse,
      {SYS_openat, SYS_readlink, SYS_newfstatat, SYS_access, SYS_sysinfo});
  // What only the zygote needs, or a child on its way: child_policy() takes it away.
  add(policy, SyscallAction::kAllow, {SYS_recvmsg, SYS_sendmsg, SYS_close_range, SYS_dup2});
  add_tested(policy, SyscallAction::kAllow, SYS_seccomp, {argument_is(0, SECCOMP_SET_MODE_FILTER)});
  add_tested(policy, SyscallAction::kAllow, SYS_prlimit64, {argument_is(0, 0)});
  add_tested(policy, SyscallAction::kAllow, SYS_clone, {argument_is(0, kForkFlags)});
  add_memory(policy, jit ? std::uint64_t{PROT_WRITE | PROT_EXEC} : std::uint64_t{PROT_EXEC});
  return policy;
}

SyscallPolicy child_policy() {
  SyscallPolicy policy;
  policy.otherwise = SyscallAction::kAllow;  // the zygote's policy stands as well
  add(policy, SyscallAction::kKill,
      {SYS_clone, SYS_recvmsg, SYS_sendmsg, SYS_seccomp, SYS_prlimit64, SYS_close_range, SYS_dup2});
  return policy;
}

SyscallPolicy init_policy() {
  SyscallPolicy policy;
  add(policy, SyscallAction::kAllow,
      {SYS_close_range, SYS_poll, SYS_restart_syscall, SYS_exit_group});
  return policy;
}

SyscallPolicy compiler_policy(int executable, pid_t pid) {
  SyscallPolicy policy;
  add(policy, SyscallAction::kAllow,
      {SYS_read,
       SYS_write,
       SYS_close,
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
       SYS_setitimer});
  // What Go's runtime and the C library try without needing it.
  add(policy, SyscallAction::kRefuse,
      {SYS_openat, SYS_readlinkat, SYS_newfstatat, SYS_prlimit64, SYS_prctl, SYS_uname, SYS_ioctl,
       SYS_readlink, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq});
  add_tested(policy, SyscallAction::kAllow, SYS_tgkill,
             {argument_is(0, static_cast<std::uint64_t>(pid))});
  add_tested(policy, SyscallAction::kAllow, SYS_clone,
             {{0, ~std::uint64_t{CLONE_SETTLS}, kGoThreadFlags}});
  add_tested(
      policy, SyscallAction::kAllow, SYS_execveat,
      {argument_is(0, static_cast<std::uint64_t>(executable)), argument_is(4, AT_EMPTY_PATH)});
  add_memory(policy, PROT_EXEC);
  return policy;
}

}  // namespace cordon::engine
