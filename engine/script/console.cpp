#include "engine/script/console.h"

#include <algorithm>

#include "engine/script/frames.h"
#include "engine/script/text.h"

namespace cordon::engine {

bool Console::print(JSContext* cx, wire::ConsoleText::Level level, JS::HandleString text) {
  if (!open_) return true;
  constexpr std::size_t kMaxFrameText = kMaxPayloadBytes - 4096;
  auto utf8 = to_utf8(cx, text, Surrogates::kReplace, std::min(bytes_left_, kMaxFrameText));
  if (!utf8) return false;
  // The line's end counts too: else empty lines would be free.
  const bool truncated = utf8->cut || bytes_left_ == 0;
  bytes_left_ -= std::min(bytes_left_, utf8->text.size() + 1);
  open_ = !truncated;
  channel_.write(console_frame(level, utf8->text, truncated));
  return true;
}

}  // namespace cordon::engine
