#pragma once
// What the host asked the launcher to do, read from the memory file that it passed.

#include "engine/start_failure.h"
#include "messages/launch.capnp.h"
#include "messages/payload.h"

namespace cordon::engine {

using LaunchRequest = Message<wire::Launch>;

// `fd` is the memory file, read from its start.
Result<LaunchRequest, StartFailure> read_launch_request(int fd);

}  // namespace cordon::engine
