// Values that cross: the tagged JSON form in both directions.

#include <catch2/catch.hpp>

#include <random>
#include <set>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using cordon::wire::Failure;

namespace {

std::string encoded(const std::string& expression) {
  return outcome("export default () => (" + expression + ");");
}

// What comes back of one argument.
std::string echoed(const std::string& argument) {
  return outcome("export default (x) => x;", "[" + argument + "]");
}

std::string with_limit(const std::string& expression, std::uint64_t limit) {
  return describe(
      host().run({.code = "export default () => (" + expression + ");", .result_bytes = limit}));
}

}  // namespace

TEST_CASE("JSON values are JSON") {
  CHECK(encoded("[null, true, false, 0, -1, 1.5, 1e21, 5e-324, 0.1, 123456789012345680000, '', "
                "'a', [], {}]") ==
        R"([null,true,false,0,-1,1.5,1e+21,5e-324,0.1,123456789012345680000,"","a",[],{}])");
  CHECK(encoded(R"('"\\\n\r\t\b\u0000\u001f\u007f/é€😀\u2028')") ==
        "\"\\\"\\\\\\n\\r\\t\\u0008\\u0000\\u001f\x7f/é€😀\u2028\"");
}

TEST_CASE("What JSON lacks has a tag") {
  const std::pair<const char*, const char*> cases[] = {
      {"NaN", R"({"$num":"NaN"})"},
      {"Infinity", R"({"$num":"Infinity"})"},
      {"-Infinity", R"({"$num":"-Infinity"})"},
      {"-0", R"({"$num":"-0"})"},
      {"undefined", R"({"$undefined":true})"},
      {"-(2n ** 64n)", R"({"$bigint":"-18446744073709551616"})"},
      {"new Date(1.5e12)", R"({"$date":1500000000000})"},
      {"new Date(NaN)", R"({"$date":{"$num":"NaN"}})"},
      {"new ArrayBuffer(3)", R"({"$bytes":"AAAA"})"},
      {"new Uint8Array([0, 1, 2, 3]).subarray(1, 3)", R"({"$bytes":"AQI="})"},
      {"new Uint16Array([258])", R"({"$bytes":"AgE="})"},
      {"new DataView(new Uint8Array([9, 8, 7]).buffer, 2)", R"({"$bytes":"Bw=="})"},
      {"new Float64Array(0)", R"({"$bytes":""})"},
      {"new Map([[1, { a: 1 }], ['k', new Map()]])", R"({"$map":[[1,{"a":1}],["k",{"$map":[]}]]})"},
      {"new Set(['x', [1]])", R"({"$set":["x",[1]]})"},
      {"{ u: undefined, n: [NaN] }", R"({"u":{"$undefined":true},"n":[{"$num":"NaN"}]})"},
      {"[1, , 3]", R"([1,{"$undefined":true},3])"},
      {"[new Number(-0), new String('s'), new Boolean(false), Object(5n)]",
       R"([{"$num":"-0"},"s",false,{"$bigint":"5"}])"},
      {"'a\\ud800\\udc00\\udc00b\\ud83d'", "\"a\U00010000\\udc00b\\ud83d\""}};
  for (const auto& [expression, json] : cases) {
    CAPTURE(expression);
    CHECK(encoded(expression) == json);
  }
}

TEST_CASE("Errors are read as data") {
  CHECK_THAT(
      encoded("new TypeError('t')"),
      StartsWith(R"({"$error":{"name":"TypeError","message":"t","stack":"default@main.ts:1:)"));
  CHECK(encoded("Object.assign(new Error('m'), { name: 'Own', stack: 's', extra: 1 })") ==
        R"({"$error":{"name":"Own","message":"m","stack":"s"}})");
}

TEST_CASE("Objects are their own enumerable properties") {
  CHECK(encoded("new (class A { #hidden = 1; x = 2; get y() { return 3; } static z = 4; })") ==
        R"({"x":2})");
  CHECK(encoded("Object.create({ inherited: 1 }, { shown: { value: 2, enumerable: true }, hidden: "
                "{ value: 3 } })") == R"({"shown":2})");
  CHECK(encoded("{ get computed() { return this.base + 1; }, base: 1, [Symbol('s')]: 2 }") ==
        R"({"computed":2,"base":1})");
  CHECK(encoded("{ b: 1, 10: 2, 2: 3, a: 4 }") == R"({"2":3,"10":2,"b":1,"a":4})");
  CHECK(encoded("{ get first() { delete this.second; return 1; }, second: 2, third: 3 }") ==
        R"({"first":1,"third":3})");
  CHECK(encoded("Object.assign([1], { extra: 2 })") == "[1]");
  CHECK(outcome("export default function () { return arguments; }", "[7]") == R"({"0":7})");
}

TEST_CASE("Proxies are traversed") {
  CHECK(encoded("new Proxy({ a: 1 }, { get: (target, key) => `${key}!`, })") == R"({"a":"a!"})");
  CHECK(encoded("new Proxy([1, 2], {})") == "[1,2]");
  CHECK(encoded("new Proxy({}, { ownKeys: () => ['x'], getOwnPropertyDescriptor: () => "
                "({ value: 1, enumerable: true, configurable: true }), get: () => new Proxy([5], "
                "{}) })") == R"({"x":[5]})");
}

TEST_CASE("Own keys that look like a tag are escaped") {
  CHECK(encoded("{ $num: 'NaN' }") == R"({"$object":[["$num","NaN"]]})");
  CHECK(encoded("{ $map: 1, other: { $set: [] } }") ==
        R"({"$object":[["$map",1],["other",{"$object":[["$set",[]]]}]]})");
  CHECK(encoded("{ $other: 1, $num: 2 }") == R"({"$other":1,"$num":2})");
  CHECK(encoded("{ a: 1, $num: 2 }") == R"({"a":1,"$num":2})");
}

TEST_CASE("Keys named __proto__ and constructor pollute nothing") {
  CHECK(
      outcome(R"js(export default (a) => {
    if ({}.polluted !== undefined || Object.getPrototypeOf(a) !== Object.prototype) return 'polluted';
    return [Object.keys(a), JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"keep":2}')];
  };)js",
              R"([{"__proto__":{"polluted":1},"x":1}])") ==
      R"([["__proto__","x"],{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"keep":2}])");
  CHECK(echoed(R"({"$object":[["__proto__",{"polluted":1}],["$num",2]]})") ==
        R"({"__proto__":{"polluted":1},"$num":2})");
}

TEST_CASE("Guest hooks take no part in the result") {
  const Ending ending = run_module(R"js(
    export default () => {
      const trap = () => { console.log('hook ran'); throw new Error('hook'); };
      const value = [{ a: [1, , 'x'], b: 2n }, new Map([[1, 2]]), new Set([3]), new Date(7), new Uint8Array([1]), new Error('e')];
      delete value[5].stack;
      const patched = [Object, Array, String, Number, BigInt, Map, Set, Date, Uint8Array, Error];
      const keys = ['toJSON', 'toString', 'valueOf', 'entries', 'keys', 'values', 'forEach', 'get', 'has', 'next',
                    'getTime', 'slice', 'push', Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag];
      const { defineProperty } = Object;
      for (let i = 0; i < patched.length; i++) {
        for (let k = 0; k < keys.length; k++) {
          defineProperty(patched[i].prototype, keys[k], { __proto__: null, get: trap, set: trap, configurable: true });
        }
      }
      defineProperty(Array.prototype, 1, { __proto__: null, get: trap, set: trap, configurable: true });
      JSON.stringify = Reflect.ownKeys = Object.keys = trap;
      return value;
    };)js");
  CHECK(ending.console.empty());
  CHECK_THAT(
      describe(ending),
      StartsWith(
          R"([{"a":[1,{"$undefined":true},"x"],"b":{"$bigint":"2"}},{"$map":[[1,2]]},)"
          R"({"$set":[3]},{"$date":7},{"$bytes":"AQ=="},{"$error":{"name":"Error","message":"e")"));
}

TEST_CASE("What cannot cross is an error that names its path") {
  const std::pair<const char*, const char*> cases[] = {
      {"() => 1", "result is a function, which cannot leave the sandbox"},
      {"{ a: [0, Symbol('s')] }", "result.a[1] is a symbol, which cannot leave the sandbox"},
      {"{ 'not an identifier': class {} }",
       "result[\"not an identifier\"] is a function, which cannot leave the sandbox"},
      {"{ 5: /x/ }", "result[5] is of type RegExp, which cannot leave the sandbox"},
      {"[Promise.resolve()]", "result[0] is of type Promise, which cannot leave the sandbox"},
      {"new WeakMap()", "result is of type WeakMap, which cannot leave the sandbox"},
      {"(function* () {})()", "result is of type Generator, which cannot leave the sandbox"},
      {"[Object(Symbol())]", "result[0] is of type Symbol, which cannot leave the sandbox"},
      {"new Map([['k', 1], [{ f() {} }, 2]])",
       "result.entry(1).f is a function, which cannot leave the sandbox"},
      {"new Set([1, () => 1])", "result.entry(1) is a function, which cannot leave the sandbox"},
      {"{ get x() { throw new TypeError('boom'); } }", "result.x cannot be read: TypeError: boom"},
      {"new Proxy({}, { ownKeys() { throw 7; } })", "result cannot be read: Error: Uncaught 7"},
      {"(({ proxy, revoke }) => (revoke(), [proxy]))(Proxy.revocable({}, {}))",
       "result[0] cannot be read: TypeError: illegal operation attempted on a revoked proxy"}};
  for (const auto& [expression, message] : cases) {
    CAPTURE(expression);
    CHECK(encoded(expression) == "badResult TypeError: " + std::string(message));
  }
}

TEST_CASE("Cycles are errors, shared references are not") {
  CHECK(outcome("export default () => { const a = { list: [1, 2, 3, {}] }; a.list[3].self = a; "
                "return a; };") ==
        "badResult TypeError: result.list[3].self is an object that contains itself");
  CHECK(outcome("export default () => { const m = new Map(); m.set('me', m); return m; };") ==
        "badResult TypeError: result.entry(0) is an object that contains itself");
  CHECK(
      outcome("export default () => { const shared = { x: 1 }; return [shared, { shared }]; };") ==
      R"([{"x":1},{"shared":{"x":1}}])");
}

TEST_CASE("Nesting is bounded in both directions") {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  const auto built = [](const char* depth) {
    return outcome("export default () => { let a = []; for (let i = 1; i < " + std::string(depth) +
                   "; i++) a = [a]; return a; };");
  };
  CHECK(built("1000") == nested(1000));
  CHECK_THAT(built("1001"), StartsWith("badResult TypeError: result[0][0]") &&
                                Contains("nested more than 1000 deep"));
  CHECK_THAT(built("200000"), Contains("nested more than 1000 deep"));
  CHECK(outcome("export default () => 'called';", nested(1000)) == R"("called")");
  CHECK(outcome("export default () => 'called';", nested(1001)) ==
        "threw Error: arguments: nested more than 1000 deep");
  CHECK_THAT(outcome("export default () => { let a; const f = () => ({ get x() { return f(); } }); "
                     "return f(); };"),
             Contains("nested more than 1000 deep"));
}

TEST_CASE("A result over the limit ends early") {
  CHECK(with_limit("'x'.repeat(8)", 10) == R"("xxxxxxxx")");
  const std::string too_large = "resultTooLarge RangeError: the result exceeds 10 bytes";
  for (const char* expression : {"'x'.repeat(9)", "'€€€'", "'x'.repeat(2 ** 29)", "[1,2,3,4,5,6]",
                                 "new Uint8Array(100)", "{ $num: 1 }", "new Array(4294967295)",
                                 "new Proxy([], { get: (t, k) => k === 'length' ? 1e300 : 1 })",
                                 "Array.from({ length: 1e6 }, () => null)", "10n ** 10n"}) {
    CAPTURE(expression);
    CHECK(with_limit(expression, 10) == too_large);
  }
  CHECK_THAT(outcome("export default () => { let a = []; for (let i = 0; i < 100; i++) a = [a, a]; "
                     "return a; };"),
             StartsWith("resultTooLarge RangeError: the result exceeds 16777216 bytes"));
}

TEST_CASE("Arguments arrive as what their tags say") {
  const std::string check = R"js(export default (v) => [
    Number.isNaN(v.nan), Object.is(v.zero, -0), v.inf, v.undef === undefined && 'undef' in v, typeof v.big,
    v.date instanceof Date && v.date.getTime(), v.bytes instanceof Uint8Array && v.bytes.join(), v.map instanceof Map && v.map.get(1),
    v.set instanceof Set && v.set.has('a'), v.error instanceof RangeError && [v.error.message, v.error.stack, Object.keys(v.error)],
    v.custom instanceof Error && v.custom.name, v.escaped, v.lone.charCodeAt(0), v.key]; )js";
  CHECK(
      outcome(
          check,
          R"([{"nan":{"$num":"NaN"},"zero":{"$num":"-0"},"inf":{"$num":"-Infinity"},"undef":{"$undefined":true},
    "big":{"$bigint":"-12"},"date":{"$date":5},"bytes":{"$bytes":"AQID"},"map":{"$map":[[1,{"$set":[]}]]},
    "set":{"$set":["a"]},"error":{"$error":{"name":"RangeError","message":"m","stack":"s"}},
    "custom":{"$error":{"name":"Custom","message":"m"}},"escaped":{"$object":[["$num",1]]},"lone":"\ud800",
    "key":{"\u0024num":"NaN"}}])") ==
      R"([true,true,{"$num":"-Infinity"},true,"bigint",5,"1,2,3",{"$set":[]},true,["m","s",[]],"Custom",)"
      R"({"$object":[["$num",1]]},55296,{"$num":"NaN"}])");
}

TEST_CASE("Large arguments arrive whole, whatever their characters") {
  // ASCII; what Latin-1 holds; more than that; pairs of surrogates; what is ill formed, and counts
  // as U+FFFD.
  const std::pair<const char*, const char*> texts[] = {{"plain", "plain"},
                                                       {"caf\u00e9 \u00ff", "caf\u00e9 \u00ff"},
                                                       {"\u0100\u20ac", "\u0100\u20ac"},
                                                       {"x\U0001f600", "x\U0001f600"},
                                                       {"a\x80z\xe2\x82", "a\ufffdz\ufffd"}};
  for (const auto& [sent, kept] : texts) {
    CAPTURE(kept);
    std::string argument;
    std::string expected;
    for (int i = 0; i < 20'000; ++i) {
      const std::string number = std::to_string(i);
      argument +=
          (i == 0 ? "[" : ",") + ("{\"k" + number + "\":[\"") + sent + "\"," + number + "]}";
      expected +=
          (i == 0 ? "[" : ",") + ("{\"k" + number + "\":[\"") + kept + "\"," + number + "]}";
    }
    CHECK(echoed(argument + "]") == expected + "]");
  }
}

TEST_CASE("Malformed tags name their path, and no guest code runs") {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"$num":"nan"})", "arguments[0]: malformed `$num`"},
      {R"({"$num":1})", "arguments[0]: malformed `$num`"},
      {R"({"a":[{"$undefined":false}]})", "arguments[0].a[0]: malformed `$undefined`"},
      {R"({"$bigint":"1.5"})", "arguments[0]: malformed `$bigint`"},
      {R"({"$bigint":""})", "arguments[0]: malformed `$bigint`"},
      {R"({"$date":"1970"})", "arguments[0]: malformed `$date`"},
      {R"({"$bytes":"A"})", "arguments[0]: malformed `$bytes`"},
      {R"({"$bytes":"AB=="})", "arguments[0]: malformed `$bytes`"},
      {R"({"$bytes":"A=AA"})", "arguments[0]: malformed `$bytes`"},
      {R"({"$map":[[1]]})", "arguments[0]: malformed `$map`"},
      {R"({"$map":{}})", "arguments[0]: malformed `$map`"},
      {R"({"$set":1})", "arguments[0]: malformed `$set`"},
      {R"({"$error":"e"})", "arguments[0]: malformed `$error`"},
      {R"({"$error":{"name":1}})", "arguments[0]: malformed `$error`"},
      {R"({"$object":[[1,2]]})", "arguments[0]: malformed `$object`"},
      {R"({"$num":"NaN","more":1})", "arguments[0]: malformed `$num`"}};
  for (const auto& [argument, message] : cases) {
    CAPTURE(argument);
    const Ending ending = run_module("console.log('ran'); export default (x) => x;",
                                     "[" + std::string(argument) + "]");
    CHECK(describe(ending) == "threw Error: " + std::string(message));
    CHECK(ending.console.empty());
  }
  CHECK(echoed(R"({"$unknown":1})") == R"({"$unknown":1})");
  CHECK_THAT(outcome("export default () => 1;", "[1"), StartsWith("threw SyntaxError: "));
  CHECK(outcome("export default () => 1;", "{}") ==
        "threw TypeError: the arguments must be an array");
}

namespace {

// Random values in exactly the form that the encoder writes.
class ValueGenerator {
 public:
  explicit ValueGenerator(unsigned seed) : random_(seed) {}

  std::string value(int depth) {
    const int kind = pick(depth == 0 ? 8 : 13);
    switch (kind) {
      case 0:
        return pick_of({"null", "true", "false"});
      case 1:
        return pick_of({"0", "-1", "42", "2147483648", "-2147483649", "1.5", "0.1", "1e+21", "1e-7",
                        "5e-324", "1.7976931348623157e+308", "900719925474099"});
      case 2:
        return text();
      case 3:
        return "{\"$num\":" + pick_of({"\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "\"-0\""}) + "}";
      case 4:
        return pick_of({"{\"$undefined\":true}", "{\"$bigint\":\"-123456789012345678901\"}",
                        "{\"$bigint\":\"0\"}"});
      case 5:
        return pick_of({"{\"$date\":0}", "{\"$date\":-1}", "{\"$date\":8640000000000000}",
                        "{\"$date\":{\"$num\":\"NaN\"}}"});
      case 6:
        return pick_of({"{\"$bytes\":\"\"}", "{\"$bytes\":\"/w==\"}", "{\"$bytes\":\"AAE=\"}",
                        "{\"$bytes\":\"+/+/\"}"});
      case 7:
        return "{\"$error\":{\"name\":" + pick_of({"\"TypeError\"", "\"Mine\"", "\"Error\""}) +
               ",\"message\":" + error_text() + ",\"stack\":" + error_text() + "}}";
      case 8:
        return list("[", "]", [&] { return value(depth - 1); });
      case 9:
        return list("{\"$set\":[", "]}", [&] { return "[" + value(depth - 1) + "]"; });
      case 10:
        return list("{\"$map\":[", "]}",
                    [&] { return "[[" + value(depth - 1) + "]," + value(depth - 1) + "]"; });
      case 11:
        return escaped_object(depth);
      default:
        return object(depth);
    }
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  std::string pick_of(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(pick(static_cast<int>(choices.size())))];
  }

  template <class Element>
  std::string list(const std::string& open, const std::string& close, Element element) {
    std::string out = open;
    for (int i = pick(4); i > 0; --i) out += element() + (i > 1 ? "," : "");
    return out + close;
  }

  std::string text() {
    std::string out = "\"";
    for (int i = pick(6); i > 0; --i) {
      // A lone surrogate is kept apart from its neighbours, which could complete it.
      out += pick_of({"a", "Z", " ", "é", "€", "😀", "\\n", "\\\"", "\\\\", "\\u0000", "$",
                      "\\ud800.", "\\udfff", "\x7f"});
    }
    return out + "\"";
  }

  std::string error_text() { return pick_of({"\"\"", "\"m\"", "\"é\\n\""}); }

  std::string members(int depth, std::vector<std::string> keys, const char* open,
                      const char* between, const char* close) {
    std::string out;
    for (const std::string& key : keys) {
      out +=
          (out.empty() ? "" : ",") + std::string(open) + key + between + value(depth - 1) + close;
    }
    return out;
  }

  std::vector<std::string> keys() {
    std::set<std::string> chosen;
    for (int i = pick(4); i > 0; --i) {
      chosen.insert(pick_of({"\"a\"", "\"b c\"", "\"\"", "\"__proto__\"", "\"constructor\"",
                             "\"toJSON\"", "\"length\"", "\"é\"", "\"\\ud800\"", "\"$\"",
                             "\"$numb\"", "\"-1\"", "\"01\""}));
    }
    return {chosen.begin(), chosen.end()};
  }

  std::string object(int depth) { return "{" + members(depth, keys(), "", ":", "") + "}"; }

  std::string escaped_object(int depth) {
    std::vector<std::string> all = keys();
    all.insert(all.begin(), pick_of({"\"$num\"", "\"$map\"", "\"$object\"", "\"$undefined\""}));
    return "{\"$object\":[" + members(depth, all, "[", ",", "]") + "]}";
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("Random values survive the way in and out unchanged") {
  constexpr unsigned kRounds = 20;
  constexpr int kValues = 100;
  for (unsigned seed = 1; seed <= kRounds; ++seed) {
    ValueGenerator generator(seed);
    std::string list = "[";
    for (int i = 0; i < kValues; ++i) list += (i == 0 ? "" : ",") + generator.value(5);
    list += "]";
    CAPTURE(seed);
    REQUIRE(echoed(list) == list);
  }
}

TEST_CASE("Random rubbish as arguments is an error or a value, never a crash") {
  std::mt19937 random(7);
  const std::string alphabet = "[]{}\",:$numabetojcs\\ud8001-.e+ \xC3\xA9\xFF";
  for (int round = 0; round < 200; ++round) {
    std::string text = ValueGenerator(static_cast<unsigned>(round)).value(3);
    text = "[" + text + "]";
    for (int i = 0; i < 3; ++i) {
      text[random() % text.size()] = alphabet[random() % alphabet.size()];
    }
    CAPTURE(text);
    const Ending ending = run_module("export default (...all) => all;", text);
    REQUIRE((ending.result || ending.failure));
  }
}
