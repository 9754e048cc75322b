#pragma once
// The guest's console: streamed as it happens, cut at the call's limit.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstddef>

#include "engine/script/channel.h"
#include "engine/script/wire.h"

namespace cordon::engine {

class Console {
 public:
  // `max_bytes` of UTF-8 text over the whole call, one byte for each line's end included.
  Console(Channel& channel, std::size_t max_bytes) noexcept
      : channel_(channel), bytes_left_(max_bytes) {}

  // Writes one frame; text beyond the limit is cut at a character's end, flagged, and the last.
  // False, with an exception, when memory ran out.
  bool print(JSContext* cx, wire::ConsoleText::Level level, JS::HandleString text);

  // Drops everything from now on.
  void close() noexcept { open_ = false; }

 private:
  Channel& channel_;
  std::size_t bytes_left_;
  bool open_ = true;
};

}  // namespace cordon::engine
