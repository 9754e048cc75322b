// Between tagged and plain JSON.

#include <catch2/catch.hpp>

#include "capabilities/tools/plain_json.h"

using namespace cordon;
using nlohmann::json;

namespace {

std::string refused(const std::string& tagged) {
  const auto plain = plain_json(json::parse(tagged), "input");
  return plain ? "" : plain.error().text;
}

json plain(const std::string& tagged) {
  const auto result = plain_json(json::parse(tagged), "input");
  REQUIRE(result.has_value());
  return *result;
}

}  // namespace

TEST_CASE("plain JSON stays as it is, undefined properties are absent, -0 is 0") {
  CHECK(plain(R"({"a":[1,"x",null,true,{"b":{}}]})") ==
        json::parse(R"({"a":[1,"x",null,true,{"b":{}}]})"));
  CHECK(plain(R"({"a":{"$undefined":true},"b":1})") == json::parse(R"({"b":1})"));
  CHECK(plain(R"({"a":{"$num":"-0"}})") == json::parse(R"({"a":0})"));
  CHECK(plain(R"({"a":{"$object":[["$num","NaN"]]}})") == json::parse(R"({"a":{"$num":"NaN"}})"));
}

TEST_CASE("what JSON lacks is refused with its place") {
  CHECK(refused(R"({"a":[{"$date":0}]})") == "`input.a[0]` must be plain JSON, not a Date");
  CHECK(refused(R"({"a":{"$num":"NaN"}})") ==
        "`input.a` must be plain JSON, not a number that JSON lacks");
  CHECK(refused(R"([{"$undefined":true}])") == "`input[0]` must be plain JSON, not undefined");
  CHECK(refused(R"({"a":{"$bigint":"1"}})") == "`input.a` must be plain JSON, not a bigint");
  CHECK(refused(R"({"a":{"$map":[]}})") == "`input.a` must be plain JSON, not a Map");
  CHECK(refused(R"({"a":{"$bytes":"AA=="}})") == "`input.a` must be plain JSON, not bytes");
}

TEST_CASE("forged tags are refused, whatever they hold") {
  for (const char* content : {"1", "{}", "[1]", "[[1,2]]", R"([["a"]])", R"([["a",1,2]])"}) {
    CHECK(refused(std::string(R"({"$object":)") + content + "}") ==
          "`input` must be plain JSON, not a malformed object");
  }
  const std::string deep = std::string(1002, '[') + std::string(1002, ']');
  CHECK(refused(deep).find("not nested more than 1000 deep") != std::string::npos);
}

TEST_CASE("a result that would look like a tag is wrapped") {
  CHECK(*tagged_json(json::parse(R"({"a":{"$num":"NaN"}})")) ==
        R"({"a":{"$object":[["$num","NaN"]]}})");
  CHECK(*tagged_json(json::parse(R"({"$date":1,"x":{"$map":2}})")) ==
        R"({"$object":[["$date",1],["x",{"$object":[["$map",2]]}]]})");
  CHECK(*tagged_json(json::parse(R"([1,"$num",null])")) == R"([1,"$num",null])");
  CHECK(plain(*tagged_json(json::parse(R"({"$object":[["a",1]]})"))) ==
        json::parse(R"({"$object":[["a",1]]})"));
}

TEST_CASE("a result that JSON cannot hold is an error") {
  CHECK(tagged_json(json("\xFF")).error().text == "holds text that is not UTF-8");
  CHECK(tagged_json(json(std::numeric_limits<double>::infinity())).error().text ==
        "holds a number that JSON lacks");
  CHECK(tagged_json(json::binary({1})).error().text == "holds what JSON lacks");
  json deep = json::array();
  for (int i = 0; i < 1001; ++i) deep = json::array({std::move(deep)});
  CHECK(tagged_json(deep).error().text == "is nested more than 1000 deep");
}
