#include "actors/compile/source_map.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "messages/utf8.h"
#include "tests/compile/direct_launcher.h"
#include "tests/compile/running_client.h"

namespace cordon {
namespace {

std::string map_json(const std::string& mappings) {
  return R"({"version":3,"sources":["main.ts"],"mappings":")" + mappings + R"(","names":[]})";
}

std::string at(const std::string& mappings, std::uint32_t line, std::uint32_t column) {
  const auto map = SourceMap::parse(map_json(mappings));
  if (!map) return "malformed";
  const auto found = map->original({line, column});
  return found ? std::to_string(found->line) + ":" + std::to_string(found->column) : "none";
}

TEST_CASE("the last mapping at or before a position counts") {
  // Line 1: columns 0 and 4 map to 0:0 and 0:8; line 3: column 2 maps to 2:1.
  const std::string mappings = "AAAA,IAAQ;;EAEP";
  CHECK(at(mappings, 1, 1) == "1:1");
  CHECK(at(mappings, 1, 4) == "1:1");
  CHECK(at(mappings, 1, 5) == "1:9");
  CHECK(at(mappings, 1, UINT32_MAX) == "1:9");
  CHECK(at(mappings, 2, 1) == "none");
  CHECK(at(mappings, 3, 2) == "none");
  CHECK(at(mappings, 3, 3) == "3:2");
  CHECK(at(mappings, 4, 1) == "none");
  CHECK(at(mappings, UINT32_MAX, 1) == "none");
  CHECK(at(mappings, 0, 1) == "none");
  CHECK(at(mappings, 1, 0) == "none");
}

TEST_CASE("code that comes from nowhere maps to nowhere") {
  CHECK(at("AAAA,I", 1, 4) == "1:1");
  CHECK(at("AAAA,I", 1, 5) == "none");
}

TEST_CASE("names are passed over") { CHECK(at("AAAAA,IAAQC", 1, 5) == "1:9"); }

TEST_CASE("large numbers are read") {
  CHECK(at("AA+/////D+/////D", 1, 1) == "2147483648:2147483648");
  CHECK(at("AAggggggE", 1, 1) == "malformed");
}

TEST_CASE("malformed mappings are refused") {
  const std::string mappings = GENERATE(values<std::string>({
      "AA", "AAA", "AAAAAA",         // counts of fields that mean nothing
      "AAA!", "AA A", "A\\u0000AA",  // no digits
      "AAAg", "AAAgggggggggA",       // no end
      "D", "AADA", "AAAD",           // before the beginning
      "ACAA", "ADAA",                // another source
      "IAAA,DAAA",                   // backwards in a line
      "+/////DAAA,CAAA",             // past the last column
  }));
  INFO(mappings);
  CHECK(at(mappings, 1, 1) == "malformed");
}

TEST_CASE("what is no map of one source is refused") {
  const std::string json = GENERATE(values<std::string>({
      "",
      "null",
      "[]",
      "{}",
      R"({"version":3,"sources":["a"]})",
      R"({"version":2,"sources":["a"],"mappings":""})",
      R"({"version":3,"sources":[],"mappings":""})",
      R"({"version":3,"sources":["a","b"],"mappings":""})",
      R"({"version":3,"sources":["a"],"mappings":7})",
      R"({"version":3,"sources":["a"],"mappings":"","mappings":"AAAA"})",
      R"({"version":3,"sources":["a"],"x":{"mappings":""}})",
      R"({"version":3,"sources":["a"],"mappings":"AAAA"} x)",
      R"({"version":3,"sources":["a"],"mappings":"AAAA")",
  }));
  INFO(json);
  CHECK(SourceMap::parse(json) == nullptr);
}

TEST_CASE("a map's size and depth are bounded") {
  std::string mappings;
  for (int i = 0; i < 2'000'001; ++i) mappings += "A,";
  CHECK(SourceMap::parse(map_json(mappings)) == nullptr);
  CHECK(SourceMap::parse(map_json(std::string(4'000'001, ';'))) == nullptr);
  CHECK(SourceMap::parse(std::string(1'000'000, '[')) == nullptr);
  CHECK(SourceMap::parse(std::string(500'000, '[') + std::string(500'000, ']')) == nullptr);
}

TEST_CASE("random maps are read or refused, and searched safely") {
  std::mt19937 random(11);
  const std::string alphabet = "AACDEIgv,,;;+/8!";
  for (int round = 0; round < 20000; ++round) {
    std::string mappings;
    for (int left = static_cast<int>(random() % 40); left > 0; --left) {
      mappings += alphabet[random() % alphabet.size()];
    }
    std::string json = map_json(mappings);
    if (round % 4 == 0) json[random() % json.size()] = static_cast<char>(random() % 256);
    const auto map = SourceMap::parse(json);
    if (!map) continue;
    for (std::uint32_t line = 0; line < 6; ++line) {
      const auto found = map->original({line, static_cast<std::uint32_t>(random() % 50)});
      if (!found) continue;
      CHECK(found->line >= 1);
      CHECK(found->column >= 1);
    }
  }
}

// ---------------------------------------------------------------- maps of real compilations

// The text from a 1-based position on; columns in UTF-16 code units.
std::string_view from_position(std::string_view text, SourcePosition position) {
  for (std::uint32_t line = 1; line < position.line; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::uint32_t column = 1;
  while (column < position.column && !text.empty()) {
    const Utf8Step step = decode_utf8(text);
    column += step.code > 0xFFFF ? 2 : 1;
    text.remove_prefix(step.length);
  }
  return text;
}

SourcePosition position_of(std::string_view text, std::size_t offset) {
  SourcePosition position{1, 1};
  std::size_t at = 0;
  while (at < offset) {
    const Utf8Step step = decode_utf8(text.substr(at));
    position.column += step.code > 0xFFFF ? 2 : 1;
    if (step.code == '\n') position = {position.line + 1, 1};
    at += step.length;
  }
  return position;
}

// A program with calls of `mark0_`, `mark1_`, … in all sorts of places.
class ProgramMaker {
 public:
  explicit ProgramMaker(std::uint32_t seed) : random_(seed) {}

  std::string make() {
    text_ = one_of({"", "#!/usr/bin/env x\n", "// é😀\n"});
    for (int left = 3 + pick(12); left > 0; --left) statement(0);
    return text_;
  }
  int marks() const { return marks_; }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::string one_of(std::vector<std::string> texts) {
    return texts[static_cast<std::size_t>(pick(static_cast<int>(texts.size())))];
  }
  std::string mark() { return "mark" + std::to_string(marks_++) + "_()"; }
  std::string name() { return "n" + std::to_string(names_++); }
  void put(const std::string& text) { text_ += text; }

  void block(int depth) {
    put("{" + one_of({"", "\n", "\n\n  ", "\r\n", " /* c */ "}));
    for (int left = pick(4); left > 0; --left) statement(depth + 1);
    put("}" + one_of({"\n", " ", ";\n"}));
  }
  void statement(int depth) {
    switch (depth > 3 ? pick(4) : pick(depth > 0 ? 11 : 12)) {
      case 0:
        put(one_of({"", "  ", "\"é😀\";", "`\n\n`;"}) + mark() + ";" + one_of({"\n", " "}));
        break;
      case 1:
        put("const " + name() + ": string = \"😀\" + " + mark() + " as any;\n");
        break;
      case 2:
        put("type " + name() + " = { a: string,\n b: number };\n");
        break;
      case 3:
        put("let " + name() + " = `é${" + mark() + "}\n${" + mark() + "}`;\n");
        break;
      case 4:
        put("function " + name() + "<T>(a: T, b?: number): void ");
        block(depth);
        break;
      case 5:
        put("if (" + mark() + ") ");
        block(depth);
        break;
      case 6:
        put("class " + name() + " { private x: number = " + mark() + "; m(): void ");
        block(depth);
        put("}\n");
        break;
      case 7:
        put("enum " + name() + " { A = " + mark() + ", B = 2 }\n");
        break;
      case 8:
        put("{ using " + name() + " = " + mark() + ";\n" + mark() + " }\n");
        break;
      case 9:
        put("const " + name() + " = async (a: number) => ");
        block(depth);
        put(";\n");
        break;
      case 10:
        put("@(" + mark() + ")\nclass " + name() + " {}\n");
        break;
      default:  // at the top only
        put("namespace " + name() + " { export const z = " + mark() + " }\n");
        break;
    }
  }

  std::mt19937 random_;
  std::string text_;
  int marks_ = 0;
  int names_ = 0;
};

TEST_CASE("maps of generated programs lead every call back to where it was written") {
  test::DirectLauncher direct;
  test::RunningClient client(direct.launcher());
  int checked = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    ProgramMaker maker(seed);
    const std::string source = maker.make();
    INFO(source);
    const test::Outcome outcome = client.compile(source);
    const std::string code = test::code_of(outcome);
    REQUIRE(outcome->map != nullptr);
    for (int i = 0; i < maker.marks(); ++i) {
      const std::string mark = "mark" + std::to_string(i) + "_";
      const std::size_t offset = code.find(mark);
      if (offset == std::string::npos) continue;
      INFO(mark);
      const auto found = outcome->map->original(position_of(code, offset));
      REQUIRE(found);
      CHECK(from_position(source, *found).starts_with(mark));
      ++checked;
    }
  }
  CHECK(checked > 1000);
}

TEST_CASE("a map comment in the source changes nothing") {
  // An inline map that would send line 1 to line 100.
  const std::string forged =
      "sourceMappingURL=data:application/json;base64,"
      "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIngiXSwibWFwcGluZ3MiOiJBQW1HQSIsIm5hbWVzIjpbXX0=";
  const std::string comment = GENERATE_COPY(values<std::string>({
      "//# " + forged,
      "//@ " + forged,
      "/*# " + forged + " */",
      "//# " + forged + "\n//# " + forged,
      "//# " + forged + "\r",
      "//# " + forged + "\u2028",
      "const b = `\n//# " + forged + "`;",
      "const b = '//# " + forged + "';",
      "const b = /[/]*# " + forged.substr(0, 16) + "/;",
      "/* " + forged + " */ //# " + forged,
  }));
  INFO(comment);
  test::DirectLauncher direct;
  test::RunningClient client(direct.launcher());
  const test::Outcome outcome = client.compile("export let a: number = f();\n" + comment);
  const std::string code = test::code_of(outcome);
  REQUIRE(outcome->map != nullptr);
  const auto found = outcome->map->original(position_of(code, code.find("f()")));
  REQUIRE(found);
  CHECK(found->line == 1);
  CHECK(found->column == 24);
  // Text in strings stays as it was.
  CHECK((code.find(forged) != std::string::npos) ==
        (comment.find('=') < comment.find("source") && comment.find("/[") == std::string::npos));
}

}  // namespace
}  // namespace cordon
