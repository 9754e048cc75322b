#pragma once
// Text that cannot forge or hide anything where a person reads it.

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

// Cap of one text field of an audit event, in bytes.
inline constexpr std::size_t kMaxFieldBytes = 1024;

// Control characters (C0, DEL, C1), line and paragraph separators and the characters that steer the
// direction of text.
bool is_deceptive(char32_t code) noexcept;

// Whether `text` is printable ASCII alone, which is visible as it is.
bool is_plain(std::string_view text) noexcept;

// `text` as well-formed UTF-8 of at most `max_bytes` (at least 16): ill-formed sequences become
// U+FFFD, a deceptive character U+202E becomes the eight characters `\u{202e}`, and what is too
// long is cut between characters and ends in `…`. Applying it twice changes nothing.
std::string visible_text(std::string_view text, std::size_t max_bytes = kMaxFieldBytes);

}  // namespace cordon
