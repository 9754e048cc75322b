#include "engine/script/frames.h"

namespace cordon::engine {

namespace {

// A copy that knows its place in the message: text needs a NUL behind it that a view may lack.
void fill_text(capnp::Text::Builder field, std::string_view text) {
  std::copy(text.begin(), text.end(), field.begin());
}

unsigned size_of(std::string_view text) { return static_cast<unsigned>(text.size()); }

}  // namespace

Payload result_frame(std::string_view json) {
  return Message<wire::ChildFrame>::build(
      [&](wire::ChildFrame::Builder frame) {
        auto data = frame.initResult(size_of(json));
        std::copy(json.begin(), json.end(), data.asChars().begin());
      },
      json.size());
}

Payload failure_frame(const Failure& failure) {
  return Message<wire::ChildFrame>::build([&](wire::ChildFrame::Builder frame) {
    auto out = frame.initFailure();
    out.setKind(failure.kind);
    fill_text(out.initName(size_of(failure.error.name)), failure.error.name);
    fill_text(out.initMessage(size_of(failure.error.message)), failure.error.message);
    if (!failure.error.stack.empty()) {
      fill_text(out.initStack(size_of(failure.error.stack)), failure.error.stack);
    }
    out.setDeniedBy(failure.denied_by);
    out.setLine(failure.line);
    out.setColumn(failure.column);
    out.setInTests(failure.in_tests);
  });
}

Payload console_frame(wire::ConsoleText::Level level, std::string_view text, bool truncated) {
  return Message<wire::ChildFrame>::build([&](wire::ChildFrame::Builder frame) {
    auto out = frame.initConsole();
    out.setLevel(level);
    fill_text(out.initText(size_of(text)), text);
    out.setTruncated(truncated);
  });
}

}  // namespace cordon::engine
