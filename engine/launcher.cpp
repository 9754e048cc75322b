#include "engine/launcher.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "engine/landlock.h"
#include "engine/namespaces.h"
#include "engine/privileges.h"
#include "engine/seccomp_filter.h"
#include "messages/exit_codes.h"

namespace cordon::engine {

namespace {

constexpr rlim_t kStackBytes = 8 << 20;  // what the engine's own stack quota is measured for

StartFailure clone_failure(const char* what) {
  return system_failure("PID namespace", what,
                        "raise the limit of processes and user.max_pid_namespaces");
}

Started confine_init() {
  if (const Started done = drop_capabilities(); !done) return done;
  if (const Started done = forbid_new_privileges(); !done) return done;
  if (const Started done = restrict_access(); !done) return done;
  if (!install(assemble(init_policy()))) {
    return system_failure("seccomp", "installing the init's filter failed",
                          "use a kernel with CONFIG_SECCOMP_FILTER");
  }
  return {};
}

// Leaves open the lifeline and, if there is one, the host's pidfd, which is behind it.
void close_all_but(int host) {
  ::close_range(0, kLifeline - 1, 0);
  if (host < 0) {
    ::close_range(kLifeline + 1, ~0U, 0);
    return;
  }
  if (host > kLifeline + 1) {
    ::close_range(kLifeline + 1, static_cast<unsigned>(host) - 1, 0);
  }
  ::close_range(static_cast<unsigned>(host) + 1, ~0U, 0);
}

// Ends on end of file of the lifeline, or when the host is gone though a process that it has forked
// still holds the lifeline's other end.
[[noreturn]] void run_init(const ControlChannel& control, int host) {
  ::prctl(PR_SET_NAME, "cordon-init", 0, 0, 0);
  if (const Started confined = confine_init(); !confined) {
    control.send_failed(confined.error());
    ::_exit(kExitNotLocked);
  }
  close_all_but(host);
  std::array ends{pollfd{kLifeline, POLLIN, 0}, pollfd{host, POLLIN, 0}};  // -1 is passed over
  while (::poll(ends.data(), ends.size(), -1) <= 0) {
  }
  ::_exit(kExitDone);
}

}  // namespace

Clone clone_sibling() noexcept {
  int pidfd = -1;
  const long pid = ::syscall(SYS_clone, kForkFlags, nullptr, &pidfd, nullptr, 0);
  return {pid, pidfd};
}

Started launch(const ControlChannel& control) {
  const UniqueFd host(static_cast<int>(::syscall(SYS_pidfd_open, ::getppid(), 0)));
  constexpr std::array kLimits{ResourceLimit{RLIMIT_STACK, kStackBytes, kInheritedLimit},
                               ResourceLimit{RLIMIT_CORE, 0, 0}};
  // With less of it, programs would end otherwise than elsewhere.
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_max < kStackBytes) {
    return StartFailure{"resource limits", "the host may have less than 8 MiB of stack",
                        "raise the hard limit of stack (RLIMIT_STACK, ulimit -Hs) to 8192 KiB"};
  }
  if (const Started limited = limit_resources(kLimits); !limited) return limited;
  if (const Started entered = enter_namespaces(); !entered) return entered;
  if (const Started hidden = forbid_inspection(); !hidden) return hidden;

  const Clone init = clone_sibling();
  if (init.pid < 0) return clone_failure("clone of the namespace's init failed");
  if (init.pid == 0) run_init(control, host.get());
  const UniqueFd init_pidfd(init.pidfd);
  const Clone role = clone_sibling();
  if (role.pid < 0) return clone_failure("clone of the role's process failed");
  if (role.pid == 0) {
    ::close(kLifeline);
    return {};
  }
  control.send_launched(init.pidfd, role.pidfd);
  ::_exit(kExitDone);
}

}  // namespace cordon::engine
