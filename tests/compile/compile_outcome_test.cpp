#include "actors/compile/compile_outcome.h"

#include <catch2/catch.hpp>

#include <string>

namespace cordon {
namespace {

struct Place {
  std::string source;
  std::uint32_t line, byte_column;
  std::uint32_t expected_line, expected_column;
};

TEST_CASE("byte columns become UTF-16 columns inside the source") {
  const auto place = GENERATE(values<Place>({
      {"let x", 1, 4, 1, 5},
      {"let y = \"é😀\" + ;", 1, 19, 1, 17},
      {"a\nb\r\nc\rd\u2028e\u2029 f", 6, 1, 6, 2},
      {"a\nb", 2, 0, 2, 1},
      {"a\n", 2, 0, 2, 1},
      {"€€ x", 1, 7, 1, 4},
      // Unknown, and beyond the end.
      {"let x", 0, 9, 0, 0},
      {"let x = (", 2, 26, 1, 10},
      {"let x = (\n", 3, 26, 2, 1},
      {"ab", 1, 99, 1, 3},
      {"", 1, 0, 1, 1},
      {"", 7, 7, 1, 1},
      // A column within a character is counted as one more.
      {"€x", 1, 1, 1, 2},
  }));
  INFO(place.source << " " << place.line << ":" << place.byte_column);
  const SourcePosition found = readable_position(place.source, place.line, place.byte_column);
  CHECK(found.line == place.expected_line);
  CHECK(found.column == place.expected_column);
}

TEST_CASE("the first error is told, the others are counted") {
  const auto outcome = compile_outcome("let x: = 1", esbuild::SourceError{"Unexpected", 1, 7, 3});
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().kind == CompileFailure::Kind::kSyntax);
  CHECK(outcome.error().message == "Unexpected (and 2 more)");
  CHECK(outcome.error().line == 1);
  CHECK(outcome.error().column == 8);
}

TEST_CASE("a message cannot deceive its reader and is short") {
  const auto outcome = compile_outcome(
      "", esbuild::SourceError{"a\n\x1b[2Jb\u202e" + std::string(5000, 'c'), 1, 0, 1});
  REQUIRE_FALSE(outcome.has_value());
  const std::string& message = outcome.error().message;
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.find("\u202e") == std::string::npos);
  CHECK(message.size() <= 500);
}

TEST_CASE("a module without a usable map is still a module") {
  const auto outcome = compile_outcome("x", esbuild::Transformed{"x;\n", "not a map"});
  REQUIRE(outcome.has_value());
  CHECK(outcome->code == "x;\n");
  CHECK(outcome->map == nullptr);
}

TEST_CASE("a refused request is no fault of the source") {
  const auto outcome = compile_outcome("x", esbuild::Refusal{"Invalid flag"});
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().kind == CompileFailure::Kind::kUnavailable);
  CHECK(outcome.error().line == 0);
}

}  // namespace
}  // namespace cordon
