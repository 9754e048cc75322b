#include "engine/script/console.h"

#include "engine/script/frames.h"
#include "engine/script/text.h"

namespace cordon::engine {

bool Console::print(JSContext* cx, wire::ConsoleText::Level level, JS::HandleString text) {
  if (!open_) return true;
  const auto utf8 = to_utf8(cx, text, Surrogates::kReplace, bytes_left_);
  if (!utf8) return false;
  bytes_left_ -= utf8->text.size();
  open_ = !utf8->cut;
  channel_.write(console_frame(level, utf8->text, utf8->cut));
  return true;
}

}  // namespace cordon::engine
