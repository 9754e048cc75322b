#pragma once
// One step of UTF-8 decoding, for text that may be ill formed.

#include <cstddef>
#include <string_view>

namespace cordon {

struct Utf8Step {
  char32_t code = U'\uFFFD';  // U+FFFD when ill formed
  std::size_t length = 1;     // bytes taken, at least one
  bool valid = false;
};

// Decodes the front of `text`, which is not empty. An ill-formed sequence takes its longest prefix
// that could have been the start of a character, as TextDecoder does. Surrogates are ill formed.
constexpr Utf8Step decode_utf8(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The first continuation byte's range excludes overlong forms, surrogates and what is past the
  // end.
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size() || byte(i) < low || byte(i) > high) return {U'\uFFFD', i, false};
    code = code << 6 | (byte(i) & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  return {code, length, true};
}

}  // namespace cordon
