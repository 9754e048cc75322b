#pragma once
// Whether hostile bytes are one JSON text, decided without building anything from them: one pass,
// no recursion, memory of one bit per level of nesting.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

// Arrays and objects within each other in the text of a value that crosses. Values are at most
// 1,000 deep; one level of a Map takes three of JSON, {"$map":[[key,value]]}.
inline constexpr std::size_t kMaxJsonDepth = 3 * 1000 + 2;

struct JsonTextError {
  enum class Kind : std::uint8_t { kSyntax, kUtf8, kDepth };
  Kind kind;
  std::size_t offset;  // byte at which the text stopped being good
};

// Why `text` is not one JSON text (RFC 8259, with white space around it) of well-formed UTF-8 with
// at most `max_depth` arrays and objects within each other; nothing when it is. Lone surrogates as
// escapes, repeated keys and numbers beyond the range of a double are good. Thread-safe.
std::optional<JsonTextError> find_json_error(std::string_view text,
                                             std::size_t max_depth = kMaxJsonDepth);

// `text`, a good JSON text, in a form that nlohmann-json reads: escapes of lone surrogates become
// `\ufffd`, and numbers beyond the range of a double become {"$num":"Infinity"} or
// {"$num":"-Infinity"}, which is what they mean to the guest.
std::string readable_json(std::string_view text);

}  // namespace cordon
