#pragma once
// The warm SpiderMonkey engine of the zygote, and the one job that a forked child runs in it.
//
// Single-threaded: creating it leaves no second thread behind, so that the process can fork. The
// order of use is create(), warm_up(), compact(), settle() in the zygote; then in each child
// rehearse() if there is time for it, after_fork(), serve().

#include <cstddef>
#include <memory>
#include <string>

#include "messages/result.h"

namespace cordon::engine {

struct ScriptEngineOptions {
  bool jit = true;
};

class ScriptEngine {
 public:
  // Initialises the engine and evaluates the prelude. May read files (time zone data): call it
  // before the process is locked down. The error says what failed.
  static Result<std::unique_ptr<ScriptEngine>, std::string> create(
      const ScriptEngineOptions& options);
  ~ScriptEngine();

  // Runs dummy jobs of many kinds, so that children inherit loaded and touched code. No guest code.
  void warm_up();

  // Gives back what the warm-up has left unused, compiled code included.
  void compact();

  // Runs the smallest jobs until what every call needs is compiled, and no other: what a child then
  // writes to lies together, on few pages. No guest code.
  void settle();

  // Runs one small job, so that what an ordinary job needs is in this process's own memory. No
  // guest code, nothing that a guest could see afterwards but the random state, and no system call
  // that serve() does not use as well.
  void rehearse();

  // Gives a forked child random state of its own. Uses getrandom only.
  void after_fork();

  // Reads one job from `channel` (session.capnp), runs it and writes its frames; returns when the
  // last frame is written or the channel is closed. Called once per process.
  void serve(int channel);

  // e.g. "mozjs-102.15.1"
  static std::string version();
  // It maps its heap in pieces of so many bytes, at multiples of them.
  static std::size_t heap_chunk_bytes() noexcept;

 private:
  class Impl;
  explicit ScriptEngine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon::engine
