#include <cordon/value.h>
#include "actors/json_text.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace cordon {
namespace {

using Json = nlohmann::json;

std::string refusal_of(const Json& value) {
  try {
    Value::from(value);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_text(const std::string& text) {
  try {
    Value::from_json(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a value keeps its text") {
  CHECK(Value().json() == "null");
  const std::string text = R"( {"b":1.0,"a":[1e2,-0],"a":"\ud800"} )";
  CHECK(Value::from_json(text).json() == text);
  CHECK(Value::from_json("1") == Value::from_json("1"));
  CHECK_FALSE(Value::from_json("1") == Value::from_json("1.0"));
}

TEST_CASE("what is not a JSON text is refused with the place") {
  CHECK(refusal_of_text("[1,]") == "not JSON at byte 3");
  CHECK(refusal_of_text("\"\xff\"") == "not JSON: ill-formed UTF-8 at byte 1");
  CHECK(refusal_of_text(std::string(4000, '[')) == "nested more than 3002 deep at byte 3002");
}

TEST_CASE("the view of a value") {
  CHECK(Value::from_json(R"({"a":[1,2.5,"x"]})").view() == Json{{"a", {1, 2.5, "x"}}});
  CHECK(Value::from_json(R"({"$num":"NaN"})").view()["$num"] == "NaN");
  CHECK(Value::from_json(R"("\ud800!")").view() == "\uFFFD!");
  CHECK(Value::from_json("[1e999]").view() == Json::array({{{"$num", "Infinity"}}}));
  CHECK(Value::from_json("0.1").view().get<double>() == 0.1);
  const std::string deep = std::string(1000, '[') + std::string(1000, ']');
  CHECK(Value::from_json(deep).view().is_array());
}

TEST_CASE("a value from nlohmann-json") {
  CHECK(Value::from(Json{{"a", {1, 2.5, nullptr, true, "é"}}}).json() ==
        R"({"a":[1,2.5,null,true,"é"]})");
  CHECK(Value::from(Json::object()).json() == "{}");
  for (const double number : {0.1, 1e-300, 1.7976931348623157e308, -5e-324, 1e21}) {
    CHECK(Value::from(number).view().get<double>() == number);
  }
  CHECK(std::signbit(Value::from(-0.0).view().get<double>()));
}

TEST_CASE("what JSON lacks is refused, not changed") {
  CHECK(refusal_of(std::nan("")).find("$num") != std::string::npos);
  CHECK(
      refusal_of(Json::array({1, {{"a", std::numeric_limits<double>::infinity()}}})).find("$num") !=
      std::string::npos);
  CHECK(refusal_of(Json::binary({1, 2})).find("$bytes") != std::string::npos);
  CHECK(refusal_of("\xff").find("UTF-8") != std::string::npos);
  CHECK(refusal_of(Json{{"\xff", 1}}).find("UTF-8") != std::string::npos);
  CHECK(refusal_of(Json(Json::value_t::discarded)).find("discarded") != std::string::npos);
  Json deep = 1;
  for (std::size_t i = 0; i < kMaxJsonDepth; ++i) deep = Json::array({std::move(deep)});
  CHECK(refusal_of(deep) == "");
  CHECK(refusal_of(Json::array({deep})) == "nested more than 3002 deep");
}

}  // namespace
}  // namespace cordon
