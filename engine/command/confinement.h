#pragma once
// What the first process of a command's sandbox takes from itself, and so from the command.

#include <optional>

#include "engine/command/command_identity.h"
#include "engine/command/launch_request.h"

namespace cordon::engine {

struct Confinement {
  unsigned landlock = 0;  // version in force; 0: this kernel has none, and that was allowed
};

// User, capabilities, new privileges, files. The system call filter is the command's own and comes
// right before its execution.
Result<Confinement, StartFailure> confine(wire::Launch::Reader launch,
                                          const std::optional<CommandIdentity>& identity);

}  // namespace cordon::engine
