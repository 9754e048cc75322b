#pragma once
// The command itself: a child of the launcher, which stays behind as the first process of the
// sandbox. When that one exits, the kernel kills whatever is left.

#include <sys/types.h>

#include <optional>

#include "engine/command/launch_request.h"

namespace cordon::engine {

// Why a command was never executed.
struct NotExecuted {
  enum class Step : int { kNone, kControlGroups, kLimits, kExecution };
  Step step = Step::kNone;  // kNone: it was
  int error = 0;            // an errno
};

struct StartedCommand {
  pid_t pid = -1;
  const volatile NotExecuted* failure = nullptr;
};

// Forks, and the child joins the control groups and executes. The launcher stays outside, so that
// nothing that the command uses up can keep it from ending the sandbox. Returns in it alone.
Result<StartedCommand, StartFailure> start_command(wire::Launch::Reader launch);

struct CommandEnd {
  int code = -1;  // exit status, or -1
  int signal = 0;
  NotExecuted failure = {};
};

// Reaps everything that ends until `command` has. Nothing when the host closes its end of `control`
// before. SIGCHLD must be blocked.
std::optional<CommandEnd> await_command(const StartedCommand& command, int control);

}  // namespace cordon::engine
