#pragma once
// The role `zygote`: a warm engine that never sees guest code and forks one child for each call.

#include <cstdint>
#include <string>

#include "engine/control_channel.h"
#include "engine/seccomp_filter.h"
#include "engine/start_failure.h"

namespace cordon::engine {

class ScriptEngine;

struct ZygoteRoleOptions {
  bool jit = true;
};

// Locks the calling process down and forks children until the host closes the control channel.
// `engine` is warm and has left one thread. Returns on a failure only, before anything was forked.
StartFailure run_zygote(const ControlChannel& control, ScriptEngine& engine,
                        const ZygoteRoleOptions& options);

}  // namespace cordon::engine
