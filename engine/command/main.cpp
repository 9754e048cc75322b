// `cordon-launch`: the first process in a command's sandbox, executed by bubblewrap in namespaces
// and a view that are ready but for the last strokes. It takes everything from itself that the
// command must not have, starts the command, and outlives it just long enough to say how it ended.
//
// Invariant: the command runs only if every wall that the request names stands. Whatever becomes of
// the host, this process ends with it, and the sandbox with this process.

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/command/command_process.h"
#include "engine/command/command_view.h"
#include "engine/command/confinement.h"
#include "engine/privileges.h"
#include "messages/build_id.h"
#include "messages/descriptor_passing.h"
#include "messages/exit_codes.h"
#include "messages/launch_descriptors.h"

namespace cordon::engine {

namespace {

using LaunchFrame = Message<wire::LaunchFrame>;

template <class Fill>
bool tell_host(Fill&& fill, std::span<const int> descriptors = {}) {
  return send_packet(kLaunchControl, LaunchFrame::build(std::forward<Fill>(fill)), descriptors);
}

int fail(const StartFailure& failure) {
  tell_host([&](wire::LaunchFrame::Builder frame) {
    auto failed = frame.initFailed();
    failed.setMechanism(failure.mechanism.c_str());
    failed.setMessage(failure.message.c_str());
    failed.setRemedy(failure.remedy.c_str());
  });
  return kExitNotLocked;
}

// An update by half must not go unnoticed: the other half may know walls that this one does not.
Started check_build(capnp::Text::Reader hosts) {
  if (std::string_view(hosts.begin(), hosts.size()) == kBuildId) return {};
  return StartFailure{"launcher build", "cordon-launch is of build " + std::string(kBuildId),
                      "install the one of build " + std::string(hosts.cStr())};
}

void block_child_signal() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, nullptr);
}

bool has_quota(wire::Launch::Reader launch) { return launch.getUnlimitedCpu().size() != 0; }

// Of what the host has passed, the launcher keeps the control channel and the CPU quota. The rest
// would keep the command's pipes open.
void keep_own_descriptors(wire::Launch::Reader launch) {
  ::close_range(0, kLaunchControl - 1, 0);
  ::close_range(kLaunchControl + 1, kCpuQuota - 1, 0);
  ::close_range(static_cast<unsigned>(first_control_group(has_quota(launch))), ~0U, 0);
}

// What is left of the command dies with this process, but only as fast as its quota lets it run.
void lift_quota(wire::Launch::Reader launch) {
  if (!has_quota(launch)) return;
  const auto unlimited = launch.getUnlimitedCpu();
  // If it failed, the sandbox would end all the same, but later.
  [[maybe_unused]] const ssize_t written = ::write(kCpuQuota, unlimited.begin(), unlimited.size());
}

// The command has not run, or not as asked.
int fail(const NotExecuted& failure) {
  errno = failure.error;
  if (failure.step == NotExecuted::Step::kControlGroups) {
    return fail(system_failure("cgroup", "joining the command's control group failed",
                               "let nobody else remove control groups named cordon-"));
  }
  return fail(system_failure("seccomp", "limits or the system call filter were refused",
                             kSystemCallRemedy));
}

// It wants no command any more, or is gone.
bool host_hung_up() {
  pollfd control{kLaunchControl, POLLIN, 0};
  return ::poll(&control, 1, 0) != 0;
}

int run() {
  const auto request = read_launch_request(kLaunchRequest);
  if (!request) return fail(request.error());
  const auto view = request->read();
  const auto launch = *view;
  if (const auto same = check_build(launch.getBuild()); !same) return fail(same.error());

  std::optional<CommandIdentity> identity;
  if (launch.getBecomeUnprivileged()) {
    const auto chosen = choose_identity();
    if (!chosen) return fail(chosen.error());
    identity = *chosen;
  }
  const auto finished = finish_view(launch, identity);
  if (!finished) return fail(finished.error());
  const auto confined = confine(launch, identity);
  if (!confined) return fail(confined.error());
  if (const auto hidden = forbid_inspection(); !hidden) return fail(hidden.error());

  block_child_signal();
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  const bool told = tell_host(
      [&](wire::LaunchFrame::Builder frame) {
        auto started = frame.initStarted();
        started.setLandlock(confined->landlock);
        started.setUser(identity ? identity->user : 0);
        started.setOwnersMapped(finished->owners_mapped);
      },
      std::span(&self, 1));
  if (self < 0 || !told) return kExitNotLocked;
  ::close(self);
  if (host_hung_up()) return kExitDone;

  const auto command = start_command(launch);
  if (!command) return fail(command.error());
  keep_own_descriptors(launch);
  const auto end = await_command(*command, kLaunchControl);
  lift_quota(launch);
  if (!end) return kExitDone;
  using Step = NotExecuted::Step;
  if (end->failure.step != Step::kNone && end->failure.step != Step::kExecution) {
    return fail(end->failure);
  }
  tell_host([&](wire::LaunchFrame::Builder frame) {
    if (end->failure.step == Step::kExecution) return frame.setNotExecuted(end->failure.error);
    auto ended = frame.initEnded();
    ended.setCode(end->code);
    ended.setSignal(end->signal);
  });
  return kExitDone;
}

}  // namespace

}  // namespace cordon::engine

int main() {
  ::prctl(PR_SET_NAME, "cordon-launch", 0, 0, 0);
  return cordon::engine::run();
}
