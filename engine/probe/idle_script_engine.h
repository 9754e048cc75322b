#pragma once
// The parts of a ScriptEngine that has nothing to prepare: programs that run attempts in place of
// guests bring create(), version() and serve() of their own.

#include <cstddef>

#include "engine/script_engine.h"
#include "messages/payload.h"
#include "messages/session.capnp.h"

namespace cordon::engine {

class ScriptEngine::Impl {};

// Waits for the job of serve(), which arrives in one piece of at most `max_bytes`. Empty: there is
// none to come.
Message<wire::HostFrame> await_job(int channel, std::size_t max_bytes);

}  // namespace cordon::engine
