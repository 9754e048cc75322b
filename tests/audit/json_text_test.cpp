#include "actors/json_text.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <random>
#include <utility>
#include <vector>

#include "capabilities/strict_json.h"

namespace cordon {
namespace {

using Kind = JsonTextError::Kind;

std::string nested(std::size_t depth, const std::string& open = "[", const std::string& inner = "",
                   const std::string& close = "]") {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += inner;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST_CASE("JSON texts are good") {
  for (const char* text :
       {"null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "12",
        "1.5",
        "1e5",
        "1E+5",
        "1e-05",
        "1e999",
        "123456789012345678901234567890",
        R"("")",
        R"("a\"\\\/\b\f\n\r\t\u00fFz")",
        R"("\ud800")",
        R"("\udc00\ud800")",
        R"("\u0000")",
        "\"é😀\xe2\x80\xa8\x7f\"",
        "[]",
        "{}",
        "[[],{}]",
        R"({"":{"a":[1,2,{"b":null}]},"a":1,"a":2})",
        " \t\r\n[ 1 , 2 ] \n",
        "{ \"a\" : 1 , \"b\" : [ ] }",
        "  0  ",
        R"("a string of more than eight bytes, with \"quotes\" and \\ in it")"}) {
    CAPTURE(text);
    CHECK_FALSE(find_json_error(text));
  }
}

TEST_CASE("other texts are not") {
  const std::vector<std::string> bad = {"",
                                        " ",
                                        "nul",
                                        "nulll",
                                        "True",
                                        "NaN",
                                        "Infinity",
                                        "undefined",
                                        "+1",
                                        "01",
                                        "-",
                                        "-a",
                                        "1.",
                                        ".5",
                                        "1.e5",
                                        "1e",
                                        "1e+",
                                        "0x10",
                                        "1 2",
                                        "1,",
                                        "[",
                                        "]",
                                        "[1",
                                        "[1,",
                                        "[1,]",
                                        "[,1]",
                                        "[1 2]",
                                        "[1}",
                                        "{",
                                        "}",
                                        "{]",
                                        "{1:2}",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1",
                                        "{\"a\":1,}",
                                        "{,}",
                                        "{a:1}",
                                        "{\"a\" 1}",
                                        "{\"a\":1 \"b\":2}",
                                        "\"",
                                        "\"abc",
                                        "'a'",
                                        "\"\\\"",
                                        "\"\\x41\"",
                                        "\"\\u12g4\"",
                                        "\"\\u123\"",
                                        "\"\\u",
                                        "\"\\",
                                        "\"a\nb\"",
                                        "\"a\tb\"",
                                        std::string("\"\0\"", 3),
                                        std::string("1\0", 2),
                                        std::string("\0", 1),
                                        "// c\n1",
                                        "[1]//",
                                        "\xef\xbb\xbf"
                                        "1",
                                        "\f1",
                                        "\"long enough for a word at a time\x01\"",
                                        "{}{}",
                                        "[]]",
                                        "\xc2\xa0"
                                        "1"};
  for (const auto& text : bad) {
    CAPTURE(text);
    const auto error = find_json_error(text);
    REQUIRE(error);
    CHECK(error->kind == Kind::kSyntax);
    CHECK(error->offset <= text.size());
  }
}

TEST_CASE("ill-formed UTF-8 is told apart") {
  for (const std::string bytes : {"\x80", "\xff", "\xc0\xaf", "\xc3", "\xe2\x80", "\xed\xa0\x80",
                                  "\xf4\x90\x80\x80", "\xf0\x8f\xbf\xbf", "\xf5\x80\x80\x80"}) {
    for (const std::string before : {"", "1234567", "123456789"}) {
      const auto error = find_json_error("[\"" + before + bytes + "\"]");
      REQUIRE(error);
      CHECK(error->kind == Kind::kUtf8);
      CHECK(error->offset == 2 + before.size());
    }
  }
}

TEST_CASE("nesting is bounded exactly") {
  CHECK_FALSE(find_json_error(nested(1000), 1000));
  CHECK_FALSE(find_json_error(nested(1000, "{\"a\":", "1", "}"), 1000));
  CHECK_FALSE(find_json_error("1", 0));
  CHECK_FALSE(find_json_error("[[],[],[[]]]", 3));
  for (const auto& text :
       {nested(1001), nested(1001, "{\"a\":", "1", "}"), std::string(1 << 20, '[')}) {
    const auto error = find_json_error(text, 1000);
    REQUIRE(error);
    CHECK(error->kind == Kind::kDepth);
  }
  CHECK(find_json_error("[]", 0)->kind == Kind::kDepth);
  CHECK(find_json_error("[[[]]]", 2)->offset == 2);
}

TEST_CASE("an object's members are pieces of its text") {
  const std::string text = R"( { "a" : [1, {"b": "}"}] ,"\u0062":-0,"":"\ud800","d":{} } )";
  const auto members = find_json_members(text, 8);
  REQUIRE(members.has_value());
  std::vector<std::pair<std::string, std::string>> pieces;
  for (const auto& [key, value] : *members) pieces.emplace_back(key, value);
  CHECK(pieces == std::vector<std::pair<std::string, std::string>>{{R"("a")", R"([1, {"b": "}"}])"},
                                                                   {R"("\u0062")", "-0"},
                                                                   {R"("")", R"("\ud800")"},
                                                                   {R"("d")", "{}"}});
  CHECK(find_json_members("{}", 1)->empty());
  CHECK(find_json_members("[{\"a\":1}]", 8).error().kind == Kind::kNoObject);
  CHECK(find_json_members("1", 8).error().kind == Kind::kNoObject);
  CHECK(find_json_members("", 8).error().kind == Kind::kSyntax);
  CHECK(find_json_members("{\"a\":1", 8).error().kind == Kind::kSyntax);
  CHECK(find_json_members("{\"a\":[]}", 1).error().kind == Kind::kDepth);
  CHECK(find_json_members("{\"\x80\":1}", 1).error().kind == Kind::kUtf8);
}

TEST_CASE("a key that an object names twice is found, wherever it is and however it is written") {
  const auto repeated = [](const std::string& text) {
    const auto members = find_json_members(text, 100);
    REQUIRE_FALSE(members.has_value());
    CHECK(members.error().kind == Kind::kRepeatedKey);
    return std::pair(members.error().key, members.error().offset);
  };
  CHECK(repeated(R"({"a":1,"b":2,"a":3})") == std::pair(std::string("a"), std::size_t{13}));
  CHECK(repeated(R"({"x":[[{"x":{"b":1,"\u0062":null}}]]})").first == "b");
  CHECK(repeated(R"({"":{},"":{}})").first.empty());
  CHECK(repeated(R"({"\n":1,"a":{"\t":1},"\u000a":2})").first == "\n");
  // One key in many objects is fine.
  CHECK(find_json_members(R"({"a":{"a":[{"a":1},{"a":2}]},"b":{"a":{}},"A":1})", 8).has_value());
  CHECK(find_json_members(R"({"a\n":{"b\n":1},"c\n":{"b\n":1},"b\n":2})", 8).has_value());

  std::string many = "{";
  for (int i = 0; i < 100'000; ++i) many += "\"" + std::to_string(i) + "\":0,";
  CHECK(find_json_members(many + "\"x\":0}", 1)->size() == 100'001);
  CHECK(repeated(many + "\"31415\":0}").first == "31415");
}

TEST_CASE("members and repeated keys are those that nlohmann-json finds in mutated texts") {
  const std::string seed =
      R"({"a":[1,{"b":"\u0061","c":[{}]}],"b":{"a":{},"\u0062":[[]]},"c":true})";
  const std::string alphabet = "{}[]\",:01.eabc\\u \xc3";
  std::mt19937 random(7);
  int good = 0;
  int repeated = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string text = seed;
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
      text[random() % text.size()] = alphabet[random() % alphabet.size()];
    }
    CAPTURE(text);
    const auto members = find_json_members(text, 100);
    if (find_json_error(text, 100)) {
      CHECK_FALSE(members.has_value());
      continue;
    }
    const auto strict = parse_strict_json(readable_json(text), 100);
    REQUIRE(members.has_value() == (strict.has_value() && strict->is_object()));
    if (!members) {
      repeated += members.error().kind == Kind::kRepeatedKey ? 1 : 0;
      continue;
    }
    ++good;
    REQUIRE(members->size() == strict->size());
    for (const auto& [key, value] : *members) {
      const auto name = nlohmann::json::parse(readable_json(key)).get<std::string>();
      REQUIRE(nlohmann::json::parse(readable_json(value)) == strict->at(name));
    }
  }
  CHECK(good > 1000);
  CHECK(repeated > 20);
}

TEST_CASE("the check agrees with nlohmann-json on mutated texts") {
  const std::string seed =
      R"({"a":[1,-2.5e+3,true,false,null,"x\n\u00e9é"],"b":{"c":{},"d":[[]]},"e":"plain text here"} )";
  const std::string alphabet = "{}[]\",:0123456789.eE+-truefalsn\\u \n\x01\x80\xc3\xa9";
  std::mt19937 random(42);
  int good = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string text = seed;
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.erase(at, 1 + random() % 4);
          break;
        default:
          text.insert(at, 1, c);
      }
      if (text.empty()) text = "0";
    }
    const bool ours = !find_json_error(text);
    // The two known differences are taken out of the comparison.
    const bool theirs = nlohmann::json::accept(ours ? readable_json(text) : text);
    CAPTURE(text);
    REQUIRE(ours == theirs);
    good += ours ? 1 : 0;
  }
  CHECK(good > 1000);
}

TEST_CASE("a readable text differs only in what nlohmann-json cannot hold") {
  const std::string plain = R"({"a":[1,-2.5e+3,"\ud83d\ude00 \\ud800 \u00e9","é"],"b":1e-999})";
  CHECK(readable_json(plain) == plain);
  CHECK(readable_json(R"("\ud800")") == R"("\ufffd")");
  CHECK(readable_json(R"("\uDC00\uD800x")") == R"("\ufffd\ufffdx")");
  CHECK(readable_json(R"("\ud800\ud83d\ude00\ude00")") == R"("\ufffd\ud83d\ude00\ufffd")");
  CHECK(readable_json(R"({"\udfff":"\\\ud800"})") == R"({"\ufffd":"\\\ufffd"})");
  CHECK(readable_json("[1e999,-1e999]") == R"([{"$num":"Infinity"},{"$num":"-Infinity"}])");
  CHECK(readable_json("1" + std::string(400, '0')) == R"({"$num":"Infinity"})");
  CHECK(readable_json("0." + std::string(400, '0') + "1") == "0." + std::string(400, '0') + "1");
}

}  // namespace
}  // namespace cordon
