#include "actors/compile/quick_protocol.h"

#include <boost/endian/conversion.hpp>

#include "messages/transpiler_protocol.h"

namespace cordon::quick {
namespace {

using namespace transpiler_protocol;
using esbuild::read_u32;

void append_u32(std::string& out, std::uint32_t value) {
  const std::uint32_t little = boost::endian::native_to_little(value);
  out.append(reinterpret_cast<const char*>(&little), sizeof little);
}

}  // namespace

std::string encode_request(std::uint32_t id, std::string_view source) {
  std::string packet;
  packet.reserve(kLengthBytes + kIdBytes + source.size());
  append_u32(packet, static_cast<std::uint32_t>(kIdBytes + source.size()));
  append_u32(packet, id);
  return packet.append(source);
}

std::uint32_t decode_answer_id(std::string_view id_bytes) noexcept { return read_u32(id_bytes); }

std::optional<esbuild::Answer> decode_answer(std::string_view body) {
  if (body.size() < kAnswerFieldBytes) return std::nullopt;
  const std::uint32_t status = read_u32(body);
  const std::size_t code_bytes = read_u32(body.substr(sizeof status));
  body.remove_prefix(kAnswerFieldBytes);
  if (status == static_cast<std::uint32_t>(Status::kDeclined)) {
    if (code_bytes != 0 || !body.empty()) return std::nullopt;
    return esbuild::Refusal{};
  }
  if (status != static_cast<std::uint32_t>(Status::kDone) || code_bytes > body.size()) {
    return std::nullopt;
  }
  return esbuild::Transformed{std::string(body.substr(0, code_bytes)),
                              std::string(body.substr(code_bytes))};
}

}  // namespace cordon::quick
