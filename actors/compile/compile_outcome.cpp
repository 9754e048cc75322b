#include "actors/compile/compile_outcome.h"

#include <algorithm>
#include <string>
#include <utility>

#include "audit/visible_text.h"
#include "messages/utf8.h"

namespace cordon {
namespace {

constexpr std::size_t kMaxMessageBytes = 500;

// The bytes of the line break that `text` begins with, or 0.
std::size_t line_break(std::string_view text) {
  if (text.starts_with("\r\n")) return 2;
  if (text.starts_with('\n') || text.starts_with('\r')) return 1;
  if (text.starts_with("\u2028") || text.starts_with("\u2029")) return 3;
  return 0;
}

std::size_t end_of_line(std::string_view source, std::size_t from) {
  // The lead byte of the two separators stands for all characters that begin with it.
  while (true) {
    const std::size_t end = source.find_first_of("\r\n\xe2", from);
    if (end == std::string_view::npos) return source.size();
    if (line_break(source.substr(end)) > 0) return end;
    from = end + 1;
  }
}

std::uint32_t utf16_units(std::string_view text) {
  std::uint32_t units = 0;
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    units += step.code > 0xFFFF ? 2 : 1;
    text.remove_prefix(step.length);
  }
  return units;
}

CompileFailure syntax_failure(std::string_view source, const esbuild::SourceError& error) {
  CompileFailure failure{CompileFailure::Kind::kSyntax, visible_text(error.text, kMaxMessageBytes),
                         0, 0};
  if (failure.message.empty()) failure.message = "The source is not TypeScript";
  if (error.count > 1) failure.message += " (and " + std::to_string(error.count - 1) + " more)";
  const SourcePosition position = readable_position(source, error.line, error.column);
  failure.line = position.line;
  failure.column = position.column;
  return failure;
}

}  // namespace

SourcePosition readable_position(std::string_view source, std::uint32_t line,
                                 std::uint32_t column) {
  if (line == 0) return {};
  std::size_t start = 0;
  std::size_t end = end_of_line(source, 0);
  std::uint32_t reached = 1;
  while (reached < line && end < source.size()) {
    start = end + line_break(source.substr(end));
    end = end_of_line(source, start);
    ++reached;
  }
  const std::string_view text = source.substr(start, end - start);
  const std::size_t wanted = reached < line ? text.size() : column;
  return {reached, utf16_units(text.substr(0, wanted)) + 1};
}

Result<CompiledModule, CompileFailure> compile_outcome(std::string_view source,
                                                       esbuild::Answer answer) {
  if (auto* done = std::get_if<esbuild::Transformed>(&answer)) {
    return CompiledModule{std::move(done->code), SourceMap::parse(done->map)};
  }
  if (const auto* error = std::get_if<esbuild::SourceError>(&answer)) {
    return syntax_failure(source, *error);
  }
  return CompileFailure{CompileFailure::Kind::kUnavailable,
                        "The TypeScript compiler refused the request: " +
                            visible_text(std::get<esbuild::Refusal>(answer).text, kMaxMessageBytes),
                        0, 0};
}

}  // namespace cordon
