// What the runner makes of prose, patterns and JSON, without running anything.

#include <catch2/catch.hpp>

#include "tests/cases/runner/driver_words.h"
#include "tests/cases/runner/pattern.h"
#include "tests/cases/runner/placeholders.h"
#include "tests/cases/runner/resolver_words.h"
#include "tests/cases/runner/tagged.h"
#include "tests/cases/runner/text_json.h"

namespace cordon::cases {
namespace {

TEST_CASE("patterns are JavaScript's, over characters, ignoring case") {
  CHECK(matches("NOT granted", "Network access is not Granted"));
  CHECK(matches("^b$", "b"));
  CHECK_FALSE(matches("^b$", "a\nb"));
  CHECK_FALSE(matches("a.b", "a\nb"));
  CHECK(matches("127\\.0\\.0\\.1:\\d+@", "http://127.0.0.1:80@x"));
  CHECK(matches("[\\u0000-\\u001f\\u202a-\\u202e]", "a\u202eb"));
  CHECK_FALSE(matches("[\\u0000-\\u001f\\u202a-\\u202e]", "a\u202fb"));
  CHECK(matches("^.$", "\U0001F600"));
  CHECK(matches("\\\\u", "\\u"));
  CHECK(matches("x(?!y)", "xz"));
  CHECK_THROWS_AS(matches("(", ""), Unknown);
}

TEST_CASE("placeholders are replaced by the longest name that fits") {
  const Placeholders names = {{"$PORT", "1"}, {"$PORT2", "2"}, {"$ORIGIN", "o$PORT"}};
  CHECK(replaced(std::string("$PORT2 $PORT $ORIGIN $PORTS $HOME $"), names) ==
        "2 1 o$PORT 1S $HOME $");
  CHECK(json_text(replaced(Json::parse(R"({"$PORT":["$PORT2",3]})"), names)) == R"({"1":["2",3]})");
}

TEST_CASE("lone surrogates survive, and pairs stay characters") {
  const std::string text = R"({"a":"\ud800","b":"\udc00x\\ud800","c":"😀"})";
  CHECK(json_text(parse_json(text)) == text);
  CHECK(parse_json(R"("\ud83d\ude00")").get<std::string>() == "\U0001F600");
  CHECK(has_lone_surrogate(parse_json(R"("\udfff")").get<std::string>()));
  CHECK_FALSE(has_lone_surrogate("\U000FD7FF \U000FE000 \U0001F600"));
}

TEST_CASE("values are compared whatever the order of their keys") {
  const auto same = [](const char* a, const char* b, bool subset = false) {
    return equals(parse_json(a), parse_json(b), subset);
  };
  CHECK(same(R"({"a":1,"b":[{"c":2,"d":3}]})", R"({"b":[{"d":3.0,"c":2}],"a":1})"));
  CHECK_FALSE(same(R"({"a":1})", R"({"a":1,"b":2})"));
  CHECK(same(R"({"a":1})", R"({"a":1,"b":2})", true));
  CHECK_FALSE(same(R"([1])", R"([1,2])", true));
  CHECK_FALSE(same(R"({"a":1})", R"([1])", true));
}

TEST_CASE("a $json is the value that JSON.parse gives") {
  CHECK(json_text(without_json_tags(parse_json(R"([{"$json":"{\"$num\":{\"a\":1}}"}])"))) ==
        R"([{"$object":[["$num",{"a":1}]]}])");
  CHECK(json_text(without_json_tags(parse_json(R"({"$json":"{\"__proto__\":1}"})"))) ==
        R"({"__proto__":1})");
  CHECK(json_text(as_policy(parse_json(R"({"a":{"$undefined":true},"b":{"c":1}})"))) ==
        R"({"b":{"c":1}})");
}

TEST_CASE("a driver's words become steps") {
  CHECK(json_text(driver_steps("start call(); after 300 ms call terminate() twice; then call() "
                               "again must reject with /single-use|terminated/")) ==
        R"([{"do":"start"},{"do":"wait","ms":300},{"do":"terminate","times":2},)"
        R"({"do":"refused_call","pattern":"single-use|terminated"}])");
  CHECK(json_text(driver_steps("wait 1 second, then call() once; drop the sandbox")) ==
        R"([{"do":"wait","ms":1000},{"do":"call"},{"do":"drop"}])");
  CHECK(json_text(driver_steps("call(); a second call() must be refused")) ==
        R"([{"do":"call"},{"do":"refused_call","pattern":""}])");
  CHECK_THROWS_AS(driver_steps("start call(); sing"), Unknown);
  CHECK_THROWS_AS(driver_steps(""), Unknown);
}

TEST_CASE("a resolver's words become answers") {
  const auto rules = [](const char* words) { return json_text(resolver_rules(Json(words))); };
  CHECK(rules("every name resolves to 10.0.0.1, ::1") ==
        R"([{"name":"*","answers":[["10.0.0.1","::1"]]}])");
  CHECK(rules("a.test answers 192.0.2.1 first, then 127.0.0.1; b.test -> fe80::1") ==
        R"([{"name":"a.test","answers":[["192.0.2.1"],["127.0.0.1"]]},)"
        R"({"name":"b.test","answers":[["fe80::1"]]}])");
  CHECK(json_text(resolver_rules(parse_json(R"({"a.test":"127.0.0.1"})"))) ==
        R"([{"name":"a.test","answers":[["127.0.0.1"]]}])");
  CHECK_THROWS_AS(rules("every name resolves to a b"), Unknown);
  CHECK_THROWS_AS(rules("127.0.0.1"), Unknown);
}

}  // namespace
}  // namespace cordon::cases
