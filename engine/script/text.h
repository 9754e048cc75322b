#pragma once
// Text on its way between the engine's strings and UTF-8.
//
// Guest strings may hold lone surrogates. `Surrogates` says what becomes of them; nothing here ever
// writes other ill-formed bytes.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cordon::engine {

enum class Surrogates : std::uint8_t {
  kReplace,  // U+FFFD, as TextEncoder does
  kKeep,     // three bytes each (WTF-8), so that the host can see and refuse them
};

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

struct Utf8Text {
  std::string text;
  bool cut = false;  // there was more than the limit; the text ends at a character's end
};

// At most `max_bytes` of `string`. Nothing, with an exception, when memory ran out.
std::optional<Utf8Text> to_utf8(JSContext* cx, JS::HandleString string, Surrogates surrogates,
                                std::size_t max_bytes = kNoLimit);

// Appends `string` as a JSON string literal; lone surrogates become escapes. Stops, and is true all
// the same, soon after `out` has grown past `max_size`. False, with an exception, when memory ran
// out.
bool append_json_string(JSContext* cx, JS::HandleString string, std::size_t max_size,
                        std::string& out);

// From UTF-8; each ill-formed part becomes one U+FFFD. Null, with an exception, when memory ran
// out.
JSString* new_string(JSContext* cx, std::string_view text);

// WHATWG UTF-8 decoding without a byte order mark's special role. Nothing when `fatal` and the
// bytes are ill-formed; otherwise each ill-formed part becomes one U+FFFD.
std::optional<std::u16string> decode_utf8(std::span<const std::uint8_t> bytes, bool fatal);

// For messages: control characters, quotes and backslashes escaped, at most about `max_bytes`.
std::string quoted(std::string_view text, std::size_t max_bytes);

}  // namespace cordon::engine
