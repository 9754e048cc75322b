#pragma once
// Whether hostile bytes are one JSON text, decided without building anything from them: one pass,
// no recursion, memory of one bit per level of nesting (and of a view of each key, where keys
// count).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/result.h"

namespace cordon {

// Arrays and objects within each other in the text of a value that crosses. Values are at most
// 1,000 deep; one level of a Map takes three of JSON, {"$map":[[key,value]]}.
inline constexpr std::size_t kMaxJsonDepth = 3 * 1000 + 2;

struct JsonTextError {
  // The last two are those of find_json_members() alone.
  enum class Kind : std::uint8_t { kSyntax, kUtf8, kDepth, kRepeatedKey, kNoObject };
  Kind kind = Kind::kSyntax;
  std::size_t offset = 0;  // byte at which the text stopped being good
  std::string key = {};    // of kRepeatedKey
};

// Why `text` is not one JSON text (RFC 8259, with white space around it) of well-formed UTF-8 with
// at most `max_depth` arrays and objects within each other; nothing when it is. Lone surrogates as
// escapes, repeated keys and numbers beyond the range of a double are good. Thread-safe.
std::optional<JsonTextError> find_json_error(std::string_view text,
                                             std::size_t max_depth = kMaxJsonDepth);

// A member of an object, as pieces of its text.
struct JsonMember {
  std::string_view key;  // with its quotes and escapes
  std::string_view value;
};

// The members of the object that `text` is, if find_json_error() finds no error and no object in it
// names a key twice. Escapes of lone surrogates are alike as keys.
Result<std::vector<JsonMember>, JsonTextError> find_json_members(std::string_view text,
                                                                 std::size_t max_depth);

// `text`, a good JSON text, in a form that nlohmann-json reads: escapes of lone surrogates become
// `\ufffd`, and numbers beyond the range of a double become {"$num":"Infinity"} or
// {"$num":"-Infinity"}, which is what they mean to the guest.
std::string readable_json(std::string_view text);

}  // namespace cordon
