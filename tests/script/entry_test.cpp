// How a job is run: its two entries, what is awaited, and how failures of the guest are reported.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using cordon::wire::Failure;

TEST_CASE("The default export is called with the arguments and its result comes back") {
  CHECK(outcome("export default (a, b) => a + b;", "[1,2]") == "3");
  CHECK(outcome("export default async (a) => { await null; return [a]; };", R"(["x"])") ==
        R"(["x"])");
  CHECK(outcome("export default function () { return arguments.length; }", "[1,2,3]") == "3");
  CHECK(outcome("export default () => ({ then(resolve) { resolve('thenable'); } });") ==
        R"("thenable")");
  CHECK(outcome("const late = await Promise.resolve(5); export default () => late;") == "5");
}

TEST_CASE("A default export that cannot be called is an error that says so") {
  CHECK(outcome("export default 5;") ==
        "threw Error: default export is not a function but a number");
  CHECK(outcome("export const x = 1;") ==
        "threw Error: default export is not a function but undefined");
  CHECK_THAT(outcome("export default class A {}"), StartsWith("threw TypeError: "));
}

TEST_CASE("The engine without its JIT runs the same jobs") {
  ScriptHost interpreter(false);
  CHECK(describe(interpreter.run({.code = "export default (x) => x * 2;", .arguments = "[21]"})) ==
        "42");
}

TEST_CASE("An uncaught error is reported with name, message and stack") {
  const Ending ending = run_module(
      "function inner() {\n  throw new TypeError('boom');\n}\n"
      "export default async () => { await null; inner(); };");
  REQUIRE(ending.failure);
  CHECK(ending.failure->kind == Failure::Kind::THREW);
  CHECK(ending.failure->name == "TypeError");
  CHECK(ending.failure->message == "boom");
  CHECK_THAT(ending.failure->stack, StartsWith("inner@main.ts:2:9\n"));
  CHECK(ending.failure->denied_by == 0);
}

TEST_CASE("Throwing what is no error is reported in words") {
  const std::pair<const char*, const char*> cases[] = {
      {"null", "Uncaught null"},
      {"undefined", "Uncaught undefined"},
      {"7", "Uncaught 7"},
      {"'text'", "Uncaught \"text\""},
      {"5n", "Uncaught 5n"},
      {"Symbol('s')", "Uncaught Symbol(s)"},
      {"{ a: 1 }", "Uncaught [object Object]"},
      {"() => 1", "Uncaught a function"},
      {"new Proxy(new Error('hidden'), {})", "Uncaught [object Proxy]"}};
  for (const auto& [thrown, message] : cases) {
    CAPTURE(thrown);
    CHECK(outcome("export default () => { throw " + std::string(thrown) + "; };") ==
          "threw Error: " + std::string(message));
  }
}

TEST_CASE("Reading an error runs no guest code") {
  const Ending ending = run_module(R"js(
    export default () => {
      const error = new Error('plain');
      Object.defineProperty(error, 'message', { get() { console.log('ran'); return 'getter'; } });
      Object.defineProperty(error, 'name', { get() { console.log('ran'); return 'getter'; } });
      throw error;
    };)js");
  CHECK(describe(ending) == "threw Error: ");
  CHECK(ending.console.empty());
  CHECK(outcome("class Mine extends Error { name = 'Mine'; }"
                "export default () => { throw new Mine('own'); };") == "threw Mine: own");
}

TEST_CASE("Error texts are capped") {
  const Ending ending = run_module(R"js(
    export default () => {
      const error = new Error('m'.repeat(1 << 20));
      error.name = 'n'.repeat(1 << 20);
      error.stack = '\u20ac'.repeat(1 << 20);
      throw error;
    };)js");
  REQUIRE(ending.failure);
  CHECK(ending.failure->message == std::string(64 * 1024, 'm'));
  CHECK(ending.failure->name == std::string(1024, 'n'));
  CHECK(ending.failure->stack.size() == 64 * 1024 - 1);  // cut between characters of three bytes
}

TEST_CASE("A syntax error has its position") {
  const Ending ending = run_module("const fine = 1;\nconst x = ;\n");
  REQUIRE(ending.failure);
  CHECK(ending.failure->kind == Failure::Kind::SYNTAX);
  CHECK(ending.failure->name == "SyntaxError");
  CHECK(ending.failure->line == 2);
  CHECK(ending.failure->column == 11);
}

TEST_CASE("A syntax error that guest code causes at run time is an ordinary error") {
  const Ending ending = run_module("export default () => eval('const x = ;');");
  REQUIRE(ending.failure);
  CHECK(ending.failure->kind == Failure::Kind::THREW);
  CHECK(ending.failure->name == "SyntaxError");
}

TEST_CASE("Background failures leave a good result alone") {
  const Ending ending = run_module(R"js(
    export default async () => {
      Promise.reject(new Error('background'));
      Promise.reject(null);
      queueMicrotask(() => { throw new Error('microtask'); });
      setTimeout(() => { throw new Error('timer'); }, 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return 'fine';
    };)js");
  CHECK(describe(ending) == R"("fine")");
}

TEST_CASE("Nothing is written after the last frame") {
  const Ending ending = run_module(R"js(
    import { environment } from 'fino:ai/sandbox/capabilities';
    export default () => {
      const again = () => { console.log('late'); environment('LATE').catch(() => {}); setTimeout(again, 0); };
      setTimeout(again, 0);
      Promise.resolve().then(() => {}).then(again);
      return { get late() { console.log('getter'); environment('LATE').catch(() => {}); return 1; } };
    };)js");
  CHECK(describe(ending) == R"({"late":1})");
  CHECK_FALSE(ending.wrote_after_the_end);
  CHECK(ending.requests.empty());
  CHECK(ending.console.empty());
}

TEST_CASE("A microtask chain without end does not keep a settled result back") {
  CHECK(outcome("export default () => { (async () => { for (;;) await null; })(); return 1; };") ==
        "1");
}

TEST_CASE("A called export that never settles waits for the host") {
  Session session = host().start(
      {.code = "export default () => { console.log('waiting'); return new Promise(() => {}); };"});
  const cordon::Payload frame = session.next();
  REQUIRE_FALSE(frame.empty());
  CHECK(cordon::Message<cordon::wire::ChildFrame>(frame).read()->isConsole());
  // Closing the channel is all that it takes to end it: the next job is served as usual.
}

TEST_CASE("A script is good when its top level, awaited, completes") {
  CHECK(describe(run_script("const x = 1;")) == R"({"$undefined":true})");
  CHECK(describe(run_script("await new Promise((resolve) => setTimeout(resolve, 1));")) ==
        R"({"$undefined":true})");
  CHECK(describe(run_script("setTimeout(() => { throw new Error('dropped'); }, 50);")) ==
        R"({"$undefined":true})");
  CHECK(describe(run_script("export default () => { throw new Error('never called'); };")) ==
        R"({"$undefined":true})");
}

TEST_CASE("A script fails by what it throws, in the foreground and in the background") {
  CHECK(describe(run_script("throw new Error('top');")) == "threw Error: top");
  CHECK(describe(run_script("await Promise.reject(new Error('awaited'));")) ==
        "threw Error: awaited");
  CHECK(describe(run_script("(async () => { await null; throw new Error('nobody waits'); })();")) ==
        "threw Error: nobody waits");
  CHECK(describe(run_script("queueMicrotask(() => { throw new Error('microtask'); });")) ==
        "threw Error: microtask");
  CHECK(describe(run_script("setTimeout(() => { throw new Error('timer'); }, 0);"
                            "await new Promise((resolve) => setTimeout(resolve, 1000));")) ==
        "threw Error: timer");
  CHECK(describe(run_script(
            "const p = Promise.reject(new Error('handled')); await p.catch(() => {});")) ==
        R"({"$undefined":true})");
}

TEST_CASE("A script that can never settle ends at once") {
  const char* const stuck[] = {"await new Promise(() => {});",
                               "setTimeout(() => {}, 1); await new Promise(() => {});",
                               "import { environment } from 'fino:ai/sandbox/capabilities'; await "
                               "environment('A'); await new Promise(() => {});"};
  for (const char* code : stuck) {
    CAPTURE(code);
    const Ending ending = host().run({.code = code, .entry = cordon::wire::Entry::SCRIPT},
                                     [](auto, auto reply) { reply.setText("a"); });
    REQUIRE(ending.failure);
    CHECK(ending.failure->kind == Failure::Kind::STUCK);
  }
}
