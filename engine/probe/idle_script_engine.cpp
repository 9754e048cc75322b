#include "engine/probe/idle_script_engine.h"

#include <poll.h>

#include <utility>

#include "messages/frame.h"

namespace cordon::engine {

ScriptEngine::ScriptEngine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ScriptEngine::~ScriptEngine() = default;
void ScriptEngine::warm_up() {}
void ScriptEngine::compact() {}
void ScriptEngine::settle() {}
void ScriptEngine::rehearse() {}
void ScriptEngine::after_fork() {}
std::size_t ScriptEngine::heap_chunk_bytes() noexcept { return 0; }

// The channel does not block.
Message<wire::HostFrame> await_job(int channel, std::size_t max_bytes) {
  pollfd readable{channel, POLLIN, 0};
  ::poll(&readable, 1, -1);
  return Message<wire::HostFrame>(read_frame(channel, max_bytes));
}

}  // namespace cordon::engine
