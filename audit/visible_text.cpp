#include "audit/visible_text.h"

#include <algorithm>
#include <charconv>

#include "messages/utf8.h"

namespace cordon {

namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kReplacement = "\uFFFD";

constexpr bool between(char32_t code, char32_t first, char32_t last) noexcept {
  return first <= code && code <= last;
}

std::string escaped(char32_t code) {
  char digits[8];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, static_cast<unsigned>(code), 16).ptr;
  return "\\u{" + std::string(digits, end) + "}";
}

}  // namespace

bool is_deceptive(char32_t code) noexcept {
  return code < 0x20 || between(code, 0x7F, 0x9F) || code == 0x061C ||
         between(code, 0x200E, 0x200F) || between(code, 0x2028, 0x202E) ||
         between(code, 0x2066, 0x2069);
}

bool is_plain(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

std::string visible_text(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes && is_plain(text)) return std::string(text);
  std::string out;
  std::size_t cut = 0;  // the longest prefix of `out` that leaves room for the ellipsis
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    if (!step.valid) {
      out += kReplacement;
    } else if (is_deceptive(step.code)) {
      out += escaped(step.code);
    } else {
      out += text.substr(0, step.length);
    }
    text.remove_prefix(step.length);
    if (out.size() + kEllipsis.size() <= max_bytes) cut = out.size();
    if (out.size() > max_bytes) {
      out.resize(cut);
      return out += kEllipsis;
    }
  }
  return out;
}

}  // namespace cordon
