#pragma once
// Files of the host's root, shown to an unprivileged command as its own: what the host grants of
// its files can be used though the command is nobody on the host.

#include "engine/command/command_identity.h"
#include "messages/unique_fd.h"

namespace cordon::engine {

// A user namespace that maps root's ids on the file system to `identity`, for idmapped mounts.
// Empty when this host cannot make one.
UniqueFd make_owner_map(CommandIdentity identity);

}  // namespace cordon::engine
