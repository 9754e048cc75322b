#pragma once
// One command, launched: bubblewrap has been executed, the rest shows on the channels.

#include <cstdint>

#include "capabilities/process/command_sandbox.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

struct LaunchedCommand {
  UniqueFd process;  // pidfd of bubblewrap, a child of this process that has to be reaped
  UniqueFd control;  // launch.capnp; its closing ends the sandbox
  UniqueFd out;      // what the command writes: non-blocking
  UniqueFd err;
  ControlGroup group;
};

// Bubblewrap leads a session and a process group of its own. Takes about a millisecond.
Result<LaunchedCommand, SandboxFailure> launch_command(const CommandSandbox& sandbox,
                                                       const SubprocessAuthority& subprocess,
                                                       const CheckedCommand& command,
                                                       const CommandHost& host);

}  // namespace cordon
