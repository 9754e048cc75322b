#pragma once
// The bytes that esbuild's `--service` mode speaks on its standard input and output: packets of a
// little-endian length, an id and one tagged value.
//
// The service has read hostile source, so what it says is hostile: decoding allocates nothing
// before a size is checked, follows no depth, and keeps only what we use. The protocol belongs to
// one version of esbuild; the service is started with that version and refuses any other.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace cordon::esbuild {

// Bytes of a packet before its body: the length (not counting itself) and the id, which it counts.
inline constexpr std::size_t kLengthBytes = 4;
inline constexpr std::size_t kIdBytes = 4;
inline constexpr std::uint32_t kMaxId = 0x7fff'ffff;

// No answer may be longer, whatever the source.
inline constexpr std::size_t kMaxPacketBytes = std::size_t{32} << 20;

struct Transformed {
  std::string code;
  std::string map;  // JSON of a version 3 source map
};

// The source is not TypeScript.
struct SourceError {
  std::string text;          // of the first error, at most kMaxErrorText bytes
  std::uint32_t line = 0;    // 1-based; 0 when unknown
  std::uint32_t column = 0;  // 0-based, in bytes of UTF-8
  std::size_t count = 0;     // of all errors, this one included
};
inline constexpr std::size_t kMaxErrorText = 4096;

// The service did not take the request itself.
struct Refusal {
  std::string text;  // at most kMaxErrorText bytes
};

using Answer = std::variant<Transformed, SourceError, Refusal>;

struct TransformOptions {
  bool experimental_decorators = false;
  bool one_line_tokens = false;  // templates are written without templates
};

// A whole packet, its length included, that asks for JavaScript which `engine`-independent code
// can rely on: an ES module for SpiderMonkey 102, with a map. `id` is at most kMaxId.
std::string encode_transform(std::uint32_t id, std::string_view source, TransformOptions options);

// The little-endian number that `bytes`, at least four, begin with.
std::uint32_t read_u32(std::string_view bytes) noexcept;

// The id of a packet that answers one of our requests, from the four bytes after its length.
// Nothing when it is a request of the service's own, which it has no reason to make.
std::optional<std::uint32_t> decode_answer_id(std::string_view id_bytes) noexcept;

// A packet's body, after the id. Nothing when it is malformed.
std::optional<Answer> decode_answer(std::string_view body);

}  // namespace cordon::esbuild
