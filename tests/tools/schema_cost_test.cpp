// What it costs to judge a hostile value: by its size, whatever the schema lists. And that looking
// allowed values up finds what going through them would.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

#include "capabilities/tools/schema.h"

using namespace cordon;
using nlohmann::json;

namespace {

constexpr const char* kTooMuch =
    "`input` must be smaller: it is too much to check by its many declared forms";

std::string mismatch(const std::string& schema, const json& value) {
  return find_mismatch(read_schema("s", schema), value, "input").value_or("");
}

// JSON Schema's rule, one value against another.
bool are_equal(const json& a, const json& b) {
  if (a.is_number() && b.is_number()) return exactly(a) == exactly(b);
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), are_equal);
  if (!a.is_object()) return a == b;
  return std::ranges::all_of(a.items(), [&](const auto& member) {
    return b.contains(member.key()) && are_equal(member.value(), b[member.key()]);
  });
}

class RandomJson {
 public:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  // Few values, so that many are equal or nearly so.
  json value(unsigned depth = 0) {
    static const json kNumbers = json::parse(
        "[0,-0.0,1,1.0,-1,-1.0,1.5,9223372036854775807,9223372036854775808,-9223372036854775808,"
        "18446744073709551615,18446744073709551616.0,9007199254740992.0,9007199254740993,1e300]");
    static const json kOthers =
        json::parse(R"([null,true,false,"","a","b","ab","1","null",[],{}])");
    const std::size_t what = below(depth < 3 ? 4 : 2);
    if (what == 0) return kNumbers[below(kNumbers.size())];
    if (what == 1) return kOthers[below(kOthers.size())];
    json out = what == 2 ? json::array() : json::object();
    for (std::size_t left = below(4); left > 0; --left) {
      if (what == 2) {
        out.push_back(value(depth + 1));
      } else {
        out[std::string(1, static_cast<char>('a' + below(3)))] = value(depth + 1);
      }
    }
    return out;
  }

 private:
  std::mt19937_64 random_{20'011};
};

std::string list(std::size_t count, const auto& text_of) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::string(i == 0 ? "" : ",") + text_of(i);
  return text;
}

std::string forms(std::size_t count) {
  return R"({"anyOf":[)" +
         list(count, [](std::size_t i) { return R"({"const":)" + std::to_string(i) + "}"; }) + "]}";
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

TEST_CASE("looking an allowed value up finds what comparing it with each one finds") {
  RandomJson random;
  std::size_t found = 0;
  constexpr std::size_t kRounds = 3'000;
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::vector<json> values;
    for (std::size_t count = random.below(20); count > 0; --count) values.push_back(random.value());
    const AllowedValues allowed(values);
    REQUIRE(allowed.in_order() == values);
    for (int i = 0; i < 20; ++i) {
      const json value = random.value();
      const bool expected =
          std::ranges::any_of(values, [&](const json& each) { return are_equal(each, value); });
      INFO(json(values).dump() + " and " + value.dump());
      REQUIRE(allowed.contains(value) == expected);
      found += expected ? 1 : 0;
    }
    for (const json& value : values) REQUIRE(allowed.contains(value));
  }
  // Both answers came often.
  CHECK(found > kRounds);
  CHECK(found < kRounds * 19);
}

TEST_CASE("a long list of values, properties or names costs no more than a short one") {
  constexpr std::size_t kListed = 20'000;
  constexpr std::size_t kElements = 110'000;
  constexpr double kFarBelowComparingEach = 20;  // seconds for all of them: that takes minutes
  const auto name = [](std::size_t i) { return "\"n" + std::to_string(i) + "\""; };
  const double begin = cpu_seconds();

  const json last(kElements, json("n19999"));
  const std::string allowed = R"({"items":{"enum":[)" + list(kListed, name) + "]}}";
  for (int i = 0; i < 4; ++i) CHECK(mismatch(allowed, last).empty());
  json wrong = last;
  wrong.back() = "n20000";
  CHECK(mismatch(allowed, wrong).starts_with("`input[109999]` must be one of \"n0\", \"n1\", "));

  const std::string properties =
      R"({"items":{"properties":{)" +
      list(kListed / 2, [&](std::size_t i) { return name(i) + ":true"; }) + "}}}";
  CHECK(mismatch(properties, json(kElements, json{{"n9999", 1}})).empty());

  const std::string required =
      R"({"items":{"required":[)" + list(kListed, [](std::size_t) { return "\"a\""; }) + "]}}";
  CHECK(mismatch(required, json(kElements, json{{"a", 1}})).empty());

  CHECK(cpu_seconds() - begin < kFarBelowComparingEach);
}

TEST_CASE("words are not made for forms that do not fit") {
  // Each form would tell of a long text.
  const std::string schema =
      R"({"items":{"anyOf":[{"const":")" + std::string(250'000, 'x') + R"("},{"type":"string"}]}})";
  const double begin = cpu_seconds();
  CHECK(mismatch(schema, json(110'000, json("y"))).empty());
  CHECK(cpu_seconds() - begin < 20);
}

TEST_CASE("many forms are tried on a small value, and not on every part of a large one") {
  const std::string schema = R"({"items":)" + forms(2'000) + "}";
  CHECK(mismatch(schema, json::array({1'999, 0, 1'999})).empty());
  CHECK(mismatch(schema, json::array({1'999, 2'000})) ==
        "`input[1]` must have one of its declared forms");
  CHECK(mismatch(schema, json(400, json(1'999))).empty());
  CHECK(mismatch(schema, json(10'000, json(0))).empty());  // the first form fits
  CHECK(mismatch(schema, json(10'000, json(1'999))) == kTooMuch);
  // As few forms as there are steps for each part are always tried.
  const std::string few = R"({"items":)" + forms(60) + "}";
  CHECK(mismatch(few, json(110'000, json(59))).empty());
}

TEST_CASE("the bound on steps counts what a look at a text, a key or a whole array takes") {
  constexpr std::size_t kForms = 4'000;
  const auto any_of = [](const std::string& form) {
    return R"({"anyOf":[)" + list(kForms, [&](std::size_t) { return form; }) + "]}";
  };
  const std::string long_text(100'000, 'x');
  CHECK(mismatch(any_of(R"({"minLength":200000})"), long_text) == kTooMuch);
  CHECK(mismatch(any_of(R"({"type":"null"})"), long_text) ==
        "`input` must have one of its declared forms");
  CHECK(mismatch(any_of(R"({"required":["b"]})"), json{{long_text, 1}}) ==
        "`input` must have one of its declared forms");
  CHECK(mismatch(any_of(R"({"properties":{},"minLength":1,"oneOf":[false]})"),
                 json{{long_text, 1}}) == kTooMuch);
  CHECK(mismatch(any_of(R"({"const":[1]})"), json::array({json(1'000, json(1))})) == kTooMuch);
}

TEST_CASE("a check ends soon after it is over") {
  const Schema schema = read_schema("s", R"({"items":{"type":"integer"}})");
  const json value(1'000'000, json(1));
  std::size_t asked = 0;
  CHECK_FALSE(find_mismatch(schema, value, "input", [&] {
    ++asked;
    return false;
  }));
  CHECK(asked > 100);
  CHECK(asked < 1'000);
  asked = 0;
  CHECK(find_mismatch(schema, value, "input", [&] { return ++asked == 3; }));
  CHECK(asked == 3);  // and not again
}
