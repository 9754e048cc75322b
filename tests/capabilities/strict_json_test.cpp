#include "capabilities/strict_json.h"

#include <catch2/catch.hpp>

using namespace cordon;
using Kind = StrictJsonError::Kind;

namespace {

StrictJsonError error_of(std::string_view text, std::size_t max_depth = 8) {
  const auto parsed = parse_strict_json(text, max_depth);
  REQUIRE_FALSE(parsed.has_value());
  return parsed.error();
}

}  // namespace

TEST_CASE("what is JSON and names nothing twice is parsed as ever") {
  for (const char* text : {"null", "-0.5e3", R"("\u00e9")", "[]",
                           R"({"a":{"a":[{"a":1},{"a":2}]}})", R"({"a":1,"A":2,"":3})"}) {
    INFO(text);
    const auto parsed = parse_strict_json(text, 8);
    REQUIRE(parsed.has_value());
    CHECK(*parsed == nlohmann::json::parse(text));
  }
}

TEST_CASE("a key that is given twice is named, wherever it is and however it is written") {
  CHECK(error_of(R"({"a":1,"b":2,"a":3})").kind == Kind::kRepeatedKey);
  CHECK(error_of(R"([[{"x":{"b":1,"\u0062":null}}]])").key == "b");
}

TEST_CASE("depth is bounded, syntax errors have their place, numbers their range") {
  CHECK(parse_strict_json("[[{}]]", 3).has_value());
  CHECK(error_of("[[{}]]", 2).kind == Kind::kTooDeep);
  CHECK(error_of(std::string(1'000'000, '[')).kind == Kind::kTooDeep);
  for (const char* text : {"", "{", "[1,]", "{} {}", "\"\xff\"", "nul"}) {
    INFO(text);
    CHECK(error_of(text).kind == Kind::kSyntax);
  }
  CHECK(error_of("[1, ?]").byte == 5);
  CHECK(error_of("1e999").kind == Kind::kNumber);
}
