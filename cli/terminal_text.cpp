#include "cli/terminal_text.h"

#include <cstdio>

#include "audit/visible_text.h"
#include "messages/utf8.h"

namespace cordon {
namespace {

std::string hex_escape(const char* format, char32_t code) {
  char escape[16];
  std::snprintf(escape, sizeof escape, format, static_cast<unsigned>(code));
  return escape;
}

std::string text_escape(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  return hex_escape("\\u{%x}", code);
}

// Copies `text`; `keep` says which deceptive characters stay, `escape` writes the others.
template <class Keep, class Escape>
std::string rewrite(std::string_view text, Keep keep, Escape escape) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    if (!step.valid) {
      out += "\uFFFD";
    } else if (is_deceptive(step.code) && !keep(step.code)) {
      out += escape(step.code);
    } else {
      out += text.substr(0, step.length);
    }
    text.remove_prefix(step.length);
  }
  return out;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    if (!step.valid) return false;
    text.remove_prefix(step.length);
  }
  return true;
}

std::string printable(std::string_view text) {
  return rewrite(
      text, [](char32_t code) { return code == '\n' || code == '\t'; }, text_escape);
}

std::string printable_line(std::string_view text) {
  return rewrite(
      text, [](char32_t) { return false; }, text_escape);
}

std::string printable_json(std::string_view json) {
  // Below U+0020 only white space between tokens is left in well-formed JSON.
  return rewrite(
      json, [](char32_t code) { return code < 0x20; },
      [](char32_t code) { return hex_escape("\\u%04x", code); });
}

}  // namespace cordon
