#include "actors/compile/esbuild_protocol.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cordon::esbuild {
namespace {

std::string u32(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}
std::string raw(const std::string& text) {
  return u32(static_cast<std::uint32_t>(text.size())) + text;
}
std::string text(const std::string& value) { return "\x03" + raw(value); }
std::string number(std::uint32_t value) { return "\x02" + u32(value); }
std::string boolean(bool value) { return std::string("\x01") + (value ? '\x01' : '\0'); }
const std::string kNull(1, '\0');

std::string list(const std::vector<std::string>& items) {
  std::string bytes = "\x05" + u32(static_cast<std::uint32_t>(items.size()));
  for (const std::string& item : items) bytes += item;
  return bytes;
}
std::string map(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string bytes = "\x06" + u32(static_cast<std::uint32_t>(fields.size()));
  for (const auto& [key, value] : fields) bytes += raw(key) + value;
  return bytes;
}

std::string good_answer() {
  return map({{"code", text("let x;")},
              {"codeFS", boolean(false)},
              {"errors", list({})},
              {"map", text("{}")},
              {"mapFS", boolean(false)},
              {"warnings", list({map({{"text", text("w")}, {"detail", number(7)}})})}});
}

std::string error_item(const std::string& message, const std::string& location) {
  return map({{"id", text("")}, {"location", location}, {"text", text(message)}});
}

TEST_CASE("a transform request has the service's form") {
  const std::string packet = encode_transform(5, "let x: number = 1", {});
  CHECK(read_u32(packet) == packet.size() - kLengthBytes);
  CHECK(read_u32(packet.substr(kLengthBytes)) == 5u << 1);
  const std::string body = packet.substr(kLengthBytes + kIdBytes);
  CHECK(body.starts_with("\x06" + u32(4) + raw("command") + text("transform") + raw("flags")));
  CHECK(body.find("experimentalDecorators") == std::string::npos);
  // The source is the last value, with our comment behind it.
  CHECK(body.ends_with("let x: number = 1\n//# sourceMappingURL=none"));
  CHECK(encode_transform(5, "", {.experimental_decorators = true})
            .find("\"experimentalDecorators\":true") != std::string::npos);
}

TEST_CASE("an answer with code is decoded") {
  const auto answer = decode_answer(good_answer());
  REQUIRE(answer);
  const auto* done = std::get_if<Transformed>(&*answer);
  REQUIRE(done);
  CHECK(done->code == "let x;");
  CHECK(done->map == "{}");
}

TEST_CASE("an answer with errors is decoded") {
  const std::string location =
      map({{"column", number(4)}, {"file", text("main.ts")}, {"line", number(2)}});
  const auto answer = decode_answer(
      map({{"code", text("")},
           {"errors", list({error_item("first", location), error_item("second", kNull)})}}));
  REQUIRE(answer);
  const auto* error = std::get_if<SourceError>(&*answer);
  REQUIRE(error);
  CHECK(error->text == "first");
  CHECK(error->line == 2);
  CHECK(error->column == 4);
  CHECK(error->count == 2);
}

TEST_CASE("a location that cannot be is unknown") {
  const std::string location = map({{"column", number(0xffffffff)}, {"line", text("2")}});
  const auto answer =
      decode_answer(map({{"code", text("")}, {"errors", list({error_item("e", location)})}}));
  REQUIRE(answer);
  const auto* error = std::get_if<SourceError>(&*answer);
  REQUIRE(error);
  CHECK(error->line == 0);
  CHECK(error->column == 0);
}

TEST_CASE("a refused request is told apart from a bad source") {
  const auto answer = decode_answer(map({{"error", text("Invalid flag")}}));
  REQUIRE(answer);
  REQUIRE(std::holds_alternative<Refusal>(*answer));
  CHECK(std::get<Refusal>(*answer).text == "Invalid flag");
}

TEST_CASE("only answers have ids that count") {
  CHECK(decode_answer_id(u32(7 << 1 | 1)) == 7u);
  CHECK(decode_answer_id(u32(0xffffffff)) == kMaxId);
  CHECK_FALSE(decode_answer_id(u32(7 << 1)));
}

TEST_CASE("malformed answers are refused") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "\x05" + u32(1);
  deep += kNull;
  const auto [name, body] = GENERATE_COPY(table<std::string, std::string>({
      {"empty", ""},
      {"no map", text("code")},
      {"no code", map({{"map", text("{}")}})},
      {"null", kNull},
      {"unknown tag", map({{"code", "\x07"}})},
      {"code of another type", map({{"code", number(1)}})},
      {"text past the end", map({{"code", "\x03" + u32(1000) + "abc"}})},
      {"huge text", map({{"code", "\x03" + u32(0xffffffff)}})},
      {"false count of fields", "\x06" + u32(0xffffffff) + raw("code") + text("")},
      {"false count of errors", map({{"code", text("")}, {"errors", "\x05" + u32(0xffffffff)}})},
      {"bytes behind", good_answer() + "x"},
      {"code in a file", map({{"code", text("/tmp/x")}, {"codeFS", boolean(true)}})},
      {"code perhaps in a file", map({{"code", text("/tmp/x")}, {"codeFS", text("")}})},
      {"nested without end", map({{"code", text("")}, {"warnings", deep}})},
  }));
  INFO(name);
  CHECK_FALSE(decode_answer(body));
}

TEST_CASE("no answer that was cut short is taken") {
  const std::string whole = good_answer();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(decode_answer(whole.substr(0, size)));
  }
}

TEST_CASE("changed and random bytes are decoded or refused, and nothing else") {
  std::mt19937 random(20240501);
  const std::string whole = good_answer();
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = whole;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    }
    if (round % 2 == 0) {
      bytes.resize(random() % 64);
      for (char& byte : bytes) byte = static_cast<char>(random() % 8);
    }
    const auto answer = decode_answer(bytes);
    if (!answer) continue;
    if (const auto* done = std::get_if<Transformed>(&*answer)) {
      CHECK(done->code.size() + done->map.size() <= bytes.size());
    }
  }
}

}  // namespace
}  // namespace cordon::esbuild
