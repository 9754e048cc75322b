#include "cli/terminal_text.h"

#include <boost/locale/utf.hpp>

#include <cstdint>
#include <cstdio>

namespace cordon {
namespace {

namespace utf = boost::locale::utf;
using Utf8 = utf::utf_traits<char>;

bool steers_a_terminal(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) ||        // C0, DEL, C1
         c == 0x061c || c == 0x200e || c == 0x200f ||  // bidirectional marks
         (c >= 0x2028 && c <= 0x202e) ||               // line breaks, embeddings, overrides
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;  // isolates, byte order mark
}

std::string hex_escape(const char* format, std::uint32_t value) {
  char escape[16];
  std::snprintf(escape, sizeof escape, format, value);
  return escape;
}

// Copies `text`; `keep` says which steering characters stay, `escape` writes the others. Bytes that
// are not UTF-8 become \xNN.
template <class Keep, class Escape>
std::string rewrite(std::string_view text, Keep keep, Escape escape) {
  std::string out;
  out.reserve(text.size());
  for (auto at = text.begin(); at != text.end();) {
    const auto start = at;
    const utf::code_point c = Utf8::decode(at, text.end());
    if (!utf::is_valid_codepoint(c)) {
      out += hex_escape("\\x%02x", static_cast<unsigned char>(*start));
      at = start + 1;
    } else if (steers_a_terminal(c) && !keep(c)) {
      out += escape(c);
    } else {
      out.append(start, at);
    }
  }
  return out;
}

std::string text_escape(std::uint32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  return hex_escape(c < 0x100 ? "\\x%02x" : "\\u%04x", c);
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  for (auto at = text.begin(); at != text.end();) {
    if (!utf::is_valid_codepoint(Utf8::decode(at, text.end()))) return false;
  }
  return true;
}

std::string printable(std::string_view text) {
  return rewrite(
      text, [](std::uint32_t c) { return c == '\n' || c == '\t'; }, text_escape);
}

std::string printable_line(std::string_view text) {
  return rewrite(
      text, [](std::uint32_t) { return false; }, text_escape);
}

std::string printable_json(std::string_view json) {
  // Below U+0020 only white space between tokens is left in well-formed JSON.
  return rewrite(
      json, [](std::uint32_t c) { return c < 0x20; },
      [](std::uint32_t c) { return hex_escape("\\u%04x", c); });
}

}  // namespace cordon
