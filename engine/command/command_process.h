#pragma once
// The command itself: a child of the launcher, which stays behind as the first process of the
// sandbox. When that one exits, the kernel kills whatever is left.

#include <sys/types.h>

#include "engine/command/launch_request.h"

namespace cordon::engine {

struct StartedCommand {
  pid_t pid = -1;
  const volatile int* error = nullptr;  // as in CommandEnd
};

// Forks and executes. Returns in the launcher alone.
Result<StartedCommand, StartFailure> start_command(wire::Launch::Reader launch);

struct CommandEnd {
  int code = -1;  // exit status, or -1
  int signal = 0;
  // Not 0: the command was never executed. An errno, negative where a limit or the system call
  // filter could not be had.
  int error = 0;
};

// Reaps everything that ends until `command` has, or until the host closes its end of `control`:
// then this process exits at once. SIGCHLD must be blocked.
CommandEnd await_command(const StartedCommand& command, int control);

}  // namespace cordon::engine
