// What may be imported, and how everything else is refused.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using cordon::wire::Entry;

namespace {

std::string with_modules(const std::string& code,
                         std::vector<std::pair<std::string, std::string>> modules,
                         Entry entry = Entry::MODULE) {
  const Ending ending = host().run({.code = code, .entry = entry, .modules = std::move(modules)},
                                   [](auto, auto reply) { reply.setText("reply"); });
  return ending.console.empty() ? describe(ending) : ending.console.back().text;
}

}  // namespace

TEST_CASE("A refused static import runs no statement and says what may be imported") {
  for (const char* statement :
       {"import 'node:fs';", "import fs from 'node:fs';", "export { x } from 'node:fs';",
        "export * from 'node:fs';", "import * as all from 'node:fs';"}) {
    CAPTURE(statement);
    const Ending ending = host().run({.code = std::string("console.log('ran');") + statement,
                                      .modules = {{"assert", "export default 1;"}}});
    CHECK(describe(ending) ==
          "threw Error: cannot import \"node:fs\": this code may import only "
          "\"fino:ai/sandbox/capabilities\", \"assert\" "
          "(the host lists more under `modules`, --module)");
    CHECK(ending.console.empty());
  }
}

TEST_CASE("No spelling of another module can be imported dynamically") {
  const Ending ending = run_module(R"js(
    export default async () => {
      const loaded = [], messages = [];
      for (const s of ['node:fs', 'fs', 'fino:process', 'fino:realm', 'fino:realm/self', 'fino:ai/sandbox', 'fino:file',
                       'internal:parent-rpc', 'fino:ai/sandbox/capabilities/../../process',
                       'FINO:AI/SANDBOX/CAPABILITIES', ' fino:ai/sandbox/capabilities',
                       'fino:ai/sandbox/capabilities\u0000', './x.ts', '/etc/hostname', '#x', '',
                       'data:text/javascript,export default 1',
                       'data:application/typescript;base64,ZXhwb3J0IGRlZmF1bHQgMQ==',
                       'file:///proc/self/environ', 'http://127.0.0.1/m.js', 'blob:null/1', '\ud800']) {
        try { await import(s); loaded.push(s); } catch (e) { if (e.constructor === Error) messages.push(e.message); }
      }
      return [loaded, messages.length, messages.every((m) => m.startsWith('cannot import "'))];
    };)js");
  CHECK(describe(ending) == "[[],22,true]");
}

TEST_CASE("The message of a refused import is escaped and capped") {
  const std::string message = outcome(
      "export default async () => { try { await import('a\\n\\u001b\"' + 'x'.repeat(1e6)); } "
      "catch (e) { return e.message; } };");
  CHECK(message.size() < 300);
  CHECK_THAT(message, StartsWith(R"("cannot import \"a\\n\\u001b\\\"xxx)"));
  CHECK_THAT(message, Contains("…"));
}

TEST_CASE("Listed modules can import each other and the capabilities") {
  CHECK(with_modules("import { a } from 'a'; import two, * as b from 'b';"
                     "export default () => [a, two, Object.keys(b)];",
                     {{"a", "import b from 'b'; export const a = b + 1;"},
                      {"b",
                       "import { environment } from 'fino:ai/sandbox/capabilities';"
                       "export default await environment('X');"}}) ==
        R"(["reply1","reply",["default"]])");
  CHECK(with_modules("export default async () => { const one = await import('a');"
                     "return [one.x, one === await import('a')]; };",
                     {{"a", "export const x = 1;"}}) == "[1,true]");
}

TEST_CASE("Listed modules have no more power than the main module") {
  CHECK_THAT(with_modules("import 'a'; export default () => 1;", {{"a", "import 'node:fs';"}}),
             StartsWith("threw Error: cannot import \"node:fs\""));
  CHECK(with_modules("import 'a'; export default () => 1;", {{"a", "let x = ;"}}) ==
        "threw SyntaxError: expected expression, got ';'");
  CHECK(with_modules("import m from 'a'; export default () => m;",
                     {{"a", "export default Reflect.ownKeys(import.meta);"}}) == "[]");
}

TEST_CASE("The capability module cannot be replaced by a listed one") {
  CHECK(with_modules("import { environment } from 'fino:ai/sandbox/capabilities';"
                     "export default () => environment('X');",
                     {{"fino:ai/sandbox/capabilities",
                       "export const environment = () => 'fake';"}}) == R"("reply")");
}

TEST_CASE("A name that the capability module does not export is a mistake in the text") {
  const Ending ending =
      run_module("\nimport { fetch } from 'fino:ai/sandbox/capabilities'; export default () => 1;");
  REQUIRE(ending.failure);
  CHECK(ending.failure->kind == cordon::wire::Failure::Kind::SYNTAX);
  CHECK(ending.failure->line == 2);
  CHECK_THAT(ending.failure->message, Contains("fetch"));
}

TEST_CASE("import.meta is empty") {
  CHECK(outcome("export default () => [Object.getPrototypeOf(import.meta), "
                "Reflect.ownKeys(import.meta)];") == "[null,[]]");
}

TEST_CASE("A module that imports itself dynamically while it is evaluated waits for itself") {
  CHECK(with_modules("import { own } from 'a'; export default async () => (await own).x;",
                     {{"a", "export const own = import('a'); export const x = 3;"}}) == "3");
}

TEST_CASE("require exists in scripts only") {
  CHECK(outcome("export default () => typeof require;") == R"("undefined")");
  CHECK(with_modules("console.log(typeof require);", {}, Entry::SCRIPT) == "function");
}

TEST_CASE("require returns the default export, else the namespace") {
  CHECK(with_modules("console.log(require('a'));",
                     {{"a", "export default 'd'; export const x = 1;"}}, Entry::SCRIPT) == "d");
  CHECK(with_modules("console.log(Object.keys(require('a')).join());",
                     {{"a", "export const x = 1, y = 2;"}}, Entry::SCRIPT) == "x,y");
  CHECK(with_modules("console.log(require('a') === require('a'), require('node:a'));",
                     {{"a", "export default {};"},
                      {"node:a", "export { default } from 'b';"},
                      {"b", "export default 'alias';"}},
                     Entry::SCRIPT) == "true alias");
}

TEST_CASE("require refuses what it cannot give") {
  const auto caught = [](const std::string& call, const std::string& module) {
    return with_modules("try { " + call + "; } catch (e) { console.log(String(e)); }",
                        {{"a", module}}, Entry::SCRIPT);
  };
  CHECK_THAT(caught("require('fs')", ""), StartsWith("Error: cannot import \"fs\""));
  CHECK_THAT(
      caught("require({ toString() { return 'a'; } })", ""),
      StartsWith("TypeError: require: argument `specifier` must be a string, not an object"));
  CHECK(caught("require('a')", "throw new RangeError('inside');") == "RangeError: inside");
  CHECK_THAT(caught("require('a')", "await null;"), Contains("awaits at its top level"));
  CHECK_THAT(caught("require('a')", "require('a');"), Contains("still being evaluated"));
}
