#include "actors/compile/stack_trace.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "audit/visible_text.h"

namespace cordon {
namespace {

constexpr std::size_t kMaxFrames = 50;
constexpr std::size_t kMaxRawLines = 500;  // read in search of frames to show
constexpr std::size_t kMaxRawLine = 2048;
constexpr std::size_t kMaxName = 256;
constexpr std::size_t kMaxMessage = 4096;
constexpr std::size_t kMaxFunction = 128;
constexpr std::size_t kMaxFile = 256;

struct Frame {
  bool is_async = false;
  bool in_tests = false;
  bool in_eval = false;  // the position is that of the call that evaluated the code
  std::string_view function;
  std::string_view file;
  SourcePosition position;  // in the generated code; column 0 when unknown
};

// Cuts `separator` and the number behind it off the end of `text`.
std::optional<std::uint32_t> cut_number(std::string_view& text, std::string_view separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + separator.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  text = text.substr(0, at);
  return number;
}

// `main.ts line 3 > eval line 1 > Function`: the outermost position is the one in a file.
void leave_eval(std::string_view& location, Frame& frame) {
  while (true) {
    std::string_view outer = location.substr(0, location.rfind(" > "));
    if (outer.size() == location.size()) return;
    const std::optional<std::uint32_t> line = cut_number(outer, " line ");
    if (!line) return;
    frame.in_eval = true;
    frame.position = {*line, 0};
    location = outer;
  }
}

bool is_guest_file(std::string_view file, const StackSources& sources) {
  return file == sources.main || (sources.is_module && sources.is_module(file));
}

// Function names and specifiers may both hold an `@`: the file is the longest rest that is known.
std::optional<Frame> parse_frame(std::string_view line, const StackSources& sources) {
  if (line.size() > kMaxRawLine) return std::nullopt;
  Frame frame;
  const std::optional<std::uint32_t> column = cut_number(line, ":");
  const std::optional<std::uint32_t> row = column ? cut_number(line, ":") : std::nullopt;
  if (!row) return std::nullopt;
  frame.position = {*row, *column};
  if (!sources.tests.empty() && line.ends_with(sources.tests)) {
    frame.in_tests = true;
    frame.position.line -= std::min(frame.position.line, kLinesBeforeTests);
    line.remove_suffix(sources.tests.size() - sources.main.size());
  } else {
    leave_eval(line, frame);
  }

  for (std::size_t at = line.find('@'); at != std::string_view::npos; at = line.find('@', at + 1)) {
    if (!is_guest_file(line.substr(at + 1), sources)) continue;
    frame.function = line.substr(0, at);
    frame.file = line.substr(at + 1);
    if (const std::size_t cause = frame.function.find('*'); cause != std::string_view::npos) {
      frame.is_async = true;
      frame.function.remove_prefix(cause + 1);
    }
    return frame;
  }
  return std::nullopt;
}

// The engine names anonymous functions by what they are part of: `outer/inner`, with `<` at the end
// of what they only contribute to.
std::string_view function_name(std::string_view name) {
  if (name.find_first_of("\"'[") == std::string_view::npos) {
    if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos) {
      name.remove_prefix(slash + 1);
    }
  }
  while (name.ends_with('<')) name.remove_suffix(1);
  // What the compiler calls an anonymous default export.
  return name == "main_default" ? "default" : name;
}

std::string location_text(const Frame& frame, const StackSources& sources) {
  std::string text = visible_text(frame.in_tests ? kTestsName : frame.file, kMaxFile);
  std::optional<SourcePosition> position = frame.position;
  if (frame.file == sources.main) {
    if (frame.position.column == 0) position->column = std::numeric_limits<std::uint32_t>::max();
    const SourceMap* const map = frame.in_tests ? sources.tests_map : sources.map;
    position = map != nullptr ? map->original(*position) : std::nullopt;
  }
  if (!position) return text;
  text += ":" + std::to_string(position->line);
  if (frame.position.column != 0) text += ":" + std::to_string(position->column);
  return text;
}

// Code that the compiler added maps to no place in the source.
bool is_compiler_helper(const Frame& frame, const StackSources& sources) {
  const SourceMap* const map = frame.in_tests ? sources.tests_map : sources.map;
  return frame.file == sources.main && frame.function.starts_with("__") && map != nullptr &&
         !map->original(frame.position);
}

std::string frame_text(const Frame& frame, const StackSources& sources) {
  std::string function = visible_text(function_name(frame.function), kMaxFunction);
  if (function.empty() && frame.in_eval) function = "eval";
  std::string location = location_text(frame, sources);
  if (frame.in_eval) location = "eval at " + location;
  const std::string start = frame.is_async ? "\n    at async " : "\n    at ";
  return function.empty() ? start + location : start + function + " (" + location + ")";
}

std::string headline(std::string_view name, std::string_view message) {
  std::string text = visible_text(name.empty() ? "Error" : name, kMaxName);
  if (!message.empty()) text += ": " + visible_text(message, kMaxMessage);
  return text;
}

}  // namespace

std::string render_stack(std::string_view name, std::string_view message, std::string_view raw,
                         const StackSources& sources) {
  std::string text = headline(name, message);
  std::size_t frames = 0;
  for (std::size_t lines = 0; lines < kMaxRawLines && frames < kMaxFrames && !raw.empty();
       ++lines) {
    const std::size_t end = raw.find('\n');
    const std::string_view line = raw.substr(0, end);
    raw.remove_prefix(end == std::string_view::npos ? raw.size() : end + 1);
    const std::optional<Frame> frame = parse_frame(line, sources);
    if (!frame || is_compiler_helper(*frame, sources)) continue;
    text += frame_text(*frame, sources);
    ++frames;
  }
  return text;
}

}  // namespace cordon
