#pragma once
// The user a command runs as, where the launcher is the host's root.

#include <cstdint>

#include "engine/start_failure.h"

namespace cordon::engine {

// An unprivileged user and group of the host, drawn anew for each command: what is counted per user
// id counts for this command alone, and nothing of root's is its own.
struct CommandIdentity {
  std::uint32_t user = 0;
  std::uint32_t group = 0;
};

Result<CommandIdentity, StartFailure> choose_identity();

// Gives up root and all groups; capabilities go with it.
Started become(CommandIdentity identity);

}  // namespace cordon::engine
