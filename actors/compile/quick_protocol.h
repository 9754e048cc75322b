#pragma once
// The host's side of what cordon-transpiler speaks (messages/transpiler_protocol.h). The service
// has read hostile source, so what it says is hostile: decoding follows no number that it has not
// checked.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "actors/compile/esbuild_protocol.h"

namespace cordon::quick {

// A whole packet, its length included.
std::string encode_request(std::uint32_t id, std::string_view source);

// The id of an answer, from the four bytes after its length.
std::uint32_t decode_answer_id(std::string_view id_bytes) noexcept;

// An answer's body, after the id: code and map, or a refusal of the source. Nothing when it is
// malformed.
std::optional<esbuild::Answer> decode_answer(std::string_view body);

}  // namespace cordon::quick
