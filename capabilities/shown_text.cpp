#include "capabilities/shown_text.h"

#include <cstdint>
#include <cstdio>

#include "capabilities/utf8.h"

namespace cordon {

namespace {

constexpr std::size_t kMaxShownCharacters = 200;

std::uint32_t code_point(std::string_view sequence) noexcept {
  const auto lead = static_cast<unsigned char>(sequence.front());
  if (sequence.size() == 1) return lead;
  // A lead byte of n bytes carries 7 - n bits.
  std::uint32_t value = lead & ((1U << (7 - sequence.size())) - 1);
  for (const char byte : sequence.substr(1))
    value = (value << 6) | (static_cast<unsigned char>(byte) & 0x3FU);
  return value;
}

// Characters that could forge a line, move a terminal's cursor or reorder what a person reads.
bool is_unsafe(std::uint32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x61C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

}  // namespace

std::string shown(std::string_view text) {
  if (text.empty()) return "\"\"";
  std::string out;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == kMaxShownCharacters) return out + "…";
    const Utf8Sequence sequence = first_utf8_sequence(text);
    const std::string_view bytes = text.substr(0, sequence.length);
    text.remove_prefix(sequence.length);
    if (!sequence.well_formed) {
      out += "\uFFFD";
    } else if (const std::uint32_t c = code_point(bytes); is_unsafe(c)) {
      char escaped[16];
      std::snprintf(escaped, sizeof escaped, "\\u{%x}", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += bytes;
    }
  }
  return out;
}

}  // namespace cordon
