#pragma once
// UTF-8 as the web decodes it: every ill-formed maximal subpart becomes one U+FFFD.

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

// The start of some bytes: one well-formed character, or the longest ill-formed run that one U+FFFD
// stands for.
struct Utf8Sequence {
  std::size_t length;  // at least 1
  bool well_formed;
};

// `bytes` must not be empty.
Utf8Sequence first_utf8_sequence(std::string_view bytes) noexcept;

bool is_valid_utf8(std::string_view bytes) noexcept;

// Number of characters (code points), each ill-formed run counting as one.
std::size_t count_characters(std::string_view bytes) noexcept;

// At most three times as long as `bytes`.
std::string to_well_formed_utf8(std::string_view bytes);

// What `new TextDecoder().decode(bytes)` gives: one leading byte-order mark is dropped as well.
std::string decode_text(std::string_view bytes);

}  // namespace cordon
