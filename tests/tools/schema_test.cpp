// Judging values by a schema, and the words for what is wrong: a model must be able to act on them.

#include <catch2/catch.hpp>

#include <cordon/options.h>

#include "capabilities/tools/schema.h"

using namespace cordon;
using nlohmann::json;

namespace {

std::string mismatch(const std::string& schema, const std::string& value) {
  return find_mismatch(read_schema("s", schema), json::parse(value), "input").value_or("");
}

std::string refused(const std::string& schema) {
  try {
    read_schema("s", schema);
    return "";
  } catch (const InvalidOption& invalid) {
    return invalid.what();
  }
}

constexpr const char* kSearch = R"({"type":"object","required":["query"],
  "additionalProperties":false,"properties":{
    "query":{"type":"string","minLength":2,"maxLength":4},
    "limit":{"type":"integer","minimum":1,"exclusiveMaximum":10},
    "tags":{"type":"array","maxItems":2,"items":{"enum":["a","b"]}},
    "where":{"anyOf":[{"type":"null"},
                      {"type":"object","required":["id"],"properties":{"id":{"type":"number"}}}]}}})";

}  // namespace

TEST_CASE("what a schema accepts has no mismatch") {
  for (const char* value : {R"({"query":"ab"})", R"({"query":"abcd","limit":9,"tags":["a","b"]})",
                            R"({"query":"ab","limit":1.0,"where":null})",
                            R"({"query":"ab","where":{"id":1.5,"more":[]}})",
                            "{\"query\":\"\xC3\xA9\xF0\x9F\x98\x80\"}"}) {
    INFO(value);
    CHECK(mismatch(kSearch, value).empty());
  }
}

TEST_CASE("a mismatch names the place, the rule and what came instead") {
  const std::pair<const char*, const char*> expected[] = {
      {R"([])", "`input` must be an object, not an array"},
      {R"({})", "`input.query` is missing"},
      {R"({"query":5})", "`input.query` must be a string, not a number"},
      {R"({"query":"a"})", "`input.query` must have at least 2 characters, not 1"},
      {R"({"query":"abcde"})", "`input.query` must have at most 4 characters, not 5"},
      {R"({"query":"ab","limit":1.5})", "`input.limit` must be a whole number, not a number"},
      {R"({"query":"ab","limit":0})", "`input.limit` must be at least 1"},
      {R"({"query":"ab","limit":10})", "`input.limit` must be less than 10"},
      {R"({"query":"ab","tags":["a","c"]})", "`input.tags[1]` must be one of \"a\", \"b\""},
      {R"({"query":"ab","tags":["a","a","a"]})",
       "`input.tags` must have at most 2 elements, not 3"},
      {R"({"query":"ab","where":{}})", "`input.where.id` is missing"},
      {R"({"query":"ab","where":3})", "`input.where` must have one of its declared forms"},
      {R"({"query":"ab","limt":3})",
       "`input.limt` is not expected: known are query, limit, tags, where"},
  };
  for (const auto& [value, text] : expected) CHECK(mismatch(kSearch, value) == text);
}

TEST_CASE("numbers are compared by their values, however large they are") {
  for (const char* large : {"9223372036854775808", "18446744073709551615", "1e300"}) {
    INFO(large);
    CHECK(mismatch(R"({"maximum":-1})", large) == "`input` must be at most -1");
    CHECK(mismatch(R"({"exclusiveMaximum":-1})", large) == "`input` must be less than -1");
    CHECK(mismatch(R"({"minimum":-1})", large).empty());
    CHECK(mismatch(R"({"exclusiveMinimum":-1})", large).empty());
  }
  CHECK(!mismatch(R"({"enum":[-1,[-1],{"n":-1}]})", "18446744073709551615").empty());
  CHECK(!mismatch(R"({"enum":[-1,[-1],{"n":-1}]})", "[18446744073709551615]").empty());
  CHECK(!mismatch(R"({"enum":[-1,[-1],{"n":-1}]})", R"({"n":18446744073709551615})").empty());
  CHECK(mismatch(R"({"enum":[-1,[-1],{"n":-1}]})", R"({"n":-1.0})").empty());
  CHECK(mismatch(R"({"enum":[-1,[-1],{"n":-1}]})", "[-1]").empty());
  CHECK(!mismatch(R"({"enum":[[1]]})", "[1,2]").empty());
  CHECK(!mismatch(R"({"enum":[{"a":1}]})", R"({"b":1})").empty());
  CHECK(!mismatch(R"({"maximum":9007199254740992.0})", "9007199254740993").empty());
  CHECK(mismatch(R"({"maximum":9007199254740993})", "9007199254740993").empty());
}

TEST_CASE("a value has to be in both enum and const, as a number of either type") {
  constexpr const char* kSchema = R"({"enum":[1,2,"1",18446744073709551615],"const":1.0})";
  CHECK(mismatch(kSchema, "1").empty());
  CHECK(mismatch(kSchema, "1.0").empty());
  CHECK(mismatch(kSchema, "2") == "`input` must be 1.0");
  CHECK(mismatch(kSchema, R"("1")") == "`input` must be 1.0");
  CHECK(!mismatch(R"({"enum":[18446744073709551615],"const":-1})", "-1").empty());
  CHECK(!mismatch(R"({"enum":[1],"const":2})", "1").empty());
}

TEST_CASE("the first of what is missing is named, however often it is required") {
  constexpr const char* kSchema = R"({"required":["b","a","b","a"]})";
  CHECK(mismatch(kSchema, R"({"a":1,"b":2})").empty());
  CHECK(mismatch(kSchema, R"({"a":1})") == "`input.b` is missing");
  CHECK(mismatch(kSchema, "{}") == "`input.b` is missing");
}

TEST_CASE("a form within a form is what a mismatch tells of, if it is the only one for the type") {
  constexpr const char* kSchema = R"({"anyOf":[{"type":"null"},
    {"oneOf":[{"type":"string"},{"type":"array","items":{"enum":["a"]}}]}]})";
  CHECK(mismatch(kSchema, R"(["a"])").empty());
  CHECK(mismatch(kSchema, R"(["a","b"])") == "`input[1]` must be \"a\"");
  CHECK(mismatch(kSchema, "3") == "`input` must have one of its declared forms");
}

TEST_CASE("hostile names of properties cannot forge a message") {
  CHECK(mismatch(kSearch, R"({"query":"ab","a\nb\u202e":1})") ==
        "`input.a\\u{a}b\\u{202e}` is not expected: known are query, limit, tags, where");
}

TEST_CASE("oneOf wants exactly one form") {
  constexpr const char* kSchema = R"({"oneOf":[{"type":"integer"},{"minimum":5}]})";
  CHECK(mismatch(kSchema, "3").empty());
  CHECK(mismatch(kSchema, "5.5").empty());
  CHECK(mismatch(kSchema, "6") == "`input` must have exactly one of its declared forms, not 2");
}

TEST_CASE("a path into a deep value stays short") {
  const std::string text = [] {
    std::string schema = R"({"type":"string"})";
    for (int i = 0; i < 40; ++i) schema = R"({"type":"array","items":)" + schema + "}";
    return schema;
  }();
  const std::string value = std::string(40, '[') + "1" + std::string(40, ']');
  const auto said = mismatch(text, value);
  CHECK(said.size() < 200);
  CHECK(said.find("must be a string, not a number") != std::string::npos);
}

TEST_CASE("what is not a schema of the supported kind is refused, with its place") {
  CHECK(refused("[]") == "s: must be a schema: an object, true or false");
  CHECK(refused(R"({"type":"text"})").find("s.type: must be null, boolean") == 0);
  CHECK(refused(R"({"items":[{}]})").find("s.items: must be a schema") == 0);
  CHECK(refused(R"({"minLength":-1})") == "s.minLength: must be a whole number, 0 or more");
  CHECK(refused(R"({"minimum":"1"})") == "s.minimum: must be a number");
  CHECK(refused(R"({"anyOf":[]})") == "s.anyOf: must be an array with elements");
  for (const char* keyword : {"pattern", "format", "$ref", "allOf", "not", "uniqueItems"}) {
    CHECK(refused(std::string("{\"") + keyword + "\":\"x\"}")
              .find(std::string("s.") + keyword + ": is a keyword that tools do not support") == 0);
  }
  std::string deep = "{}";
  for (int i = 0; i < 65; ++i) deep = R"({"items":)" + deep + "}";
  CHECK(refused(deep).find("a schema may be nested 64 deep") != std::string::npos);
  CHECK(refused(std::string(300'000, ' ')).find("262144") != std::string::npos);
}
