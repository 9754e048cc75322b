// cordon-transpiler's bytes, read by the host.

#include <catch2/catch.hpp>

#include <string>
#include <variant>

#include "actors/compile/quick_protocol.h"
#include "messages/transpiler_protocol.h"

namespace cordon {
namespace {

std::string u32(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

TEST_CASE("a request is its length, its id and the source") {
  CHECK(quick::encode_request(7, "abc") == u32(7) + u32(7) + "abc");
  CHECK(quick::encode_request(1, "") == u32(4) + u32(1));
  CHECK(quick::decode_answer_id(u32(0x01020304)) == 0x01020304);
}

TEST_CASE("an answer is code and map, or a refusal") {
  const auto done = quick::decode_answer(u32(1) + u32(4) + "code" + "map");
  REQUIRE(done.has_value());
  const auto& transformed = std::get<esbuild::Transformed>(*done);
  CHECK(transformed.code == "code");
  CHECK(transformed.map == "map");
  const auto empty = quick::decode_answer(u32(1) + u32(0));
  REQUIRE(empty.has_value());
  CHECK(std::get<esbuild::Transformed>(*empty).code.empty());
  const auto declined = quick::decode_answer(u32(0) + u32(0));
  REQUIRE(declined.has_value());
  CHECK(std::holds_alternative<esbuild::Refusal>(*declined));
}

TEST_CASE("an answer that makes no sense is none") {
  const std::string body =
      GENERATE(std::string(), u32(1), u32(1) + std::string(3, '\0'), u32(2) + u32(0),
               u32(1) + u32(5) + "code", u32(1) + u32(0xffffffff) + "code", u32(0) + u32(1) + "c",
               u32(0) + u32(0) + "c", u32(0xffffffff) + u32(0));
  CHECK_FALSE(quick::decode_answer(body).has_value());
}

}  // namespace
}  // namespace cordon
