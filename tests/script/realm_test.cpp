// The guest's world outside the modules: globals, randomness, time, locale, stack, and that each
// child starts afresh.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;

TEST_CASE("Globals of a host are absent") {
  CHECK(outcome(R"js(
    export default () => {
      const names = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'BroadcastChannel', 'Worker',
        'SharedWorker', 'process', 'require', 'Deno', 'Bun', 'Realm', 'ShadowRealm', 'postMessage', 'importScripts',
        'navigator', 'indexedDB', 'SharedArrayBuffer', 'WebAssembly', 'InternalError', 'uneval', 'dump', 'Debugger', 'gc'];
      return names.filter((n) => typeof globalThis[n] !== 'undefined');
    };)js") == "[]");
}

TEST_CASE("There is no Atomics, since there is no shared memory") {
  CHECK(outcome("export default () => typeof Atomics;") == "\"undefined\"");
}

TEST_CASE("The time zone is UTC and the locale en-US") {
  CHECK(
      outcome("export default () => [new Date(0).toString(), new Date(0).toLocaleString(),"
              "Intl.DateTimeFormat().resolvedOptions().timeZone, (1234.5).toLocaleString()];") ==
      R"json(["Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)","1/1/1970, 12:00:00 AM","UTC","1,234.5"])json");
}

TEST_CASE("Two children draw different random numbers") {
  const std::string code =
      "export default () => [Math.random(), Math.random(), ...crypto.getRandomValues(new "
      "Uint8Array(8))];";
  const std::string first = outcome(code);
  CHECK(first.front() == '[');
  CHECK(first != outcome(code));
  CHECK(outcome("export default () => { let low = 0; for (let i = 0; i < 10000; i++) {"
                "const x = Math.random(); if (!(x >= 0 && x < 1)) throw x; if (x < 0.5) low++; }"
                "return low > 4500 && low < 5500; };") == "true");
  CHECK(outcome(
            "export default () => [Math.random.name, Math.random.length, String(Math.random)];") ==
        R"(["random",0,"function random() {\n    [native code]\n}"])");
}

TEST_CASE("Nothing of another job is left behind") {
  CHECK(outcome("export default () => { globalThis.left = 1; Array.prototype.left = 1; "
                "/x(y)/.test('xy'); return 1; };") == "1");
  CHECK(outcome("export default () => [typeof left, [].left, RegExp.$1, RegExp.lastMatch, "
                "RegExp.input];") == R"(["undefined",{"$undefined":true},"","",""])");
}

TEST_CASE("eval and Function are allowed and give no more power") {
  CHECK(outcome("export default () => [eval('1 + 1'), new Function('return typeof require')()];") ==
        R"([2,"undefined"])");
  CHECK(
      outcome(
          "export default async () => { try { await new Function(\"return import('node:fs')\")(); }"
          "catch (e) { return e.message.slice(0, 23); } };") == R"("cannot import \"node:fs\"")");
}

TEST_CASE("Stack overflow is caught as a RangeError") {
  CHECK(outcome(R"js(
    export default () => {
      const outcomes = [];
      let proxy = {}; for (let i = 0; i < 1e5; i++) proxy = new Proxy(proxy, {});
      let bound = () => 1; for (let i = 0; i < 1e5; i++) bound = bound.bind();
      let nested = []; for (let i = 0; i < 1e5; i++) nested = [nested];
      class Getter { static get x() { return Getter.x; } }
      const recurse = () => recurse() + 1;
      const clinging = () => { try { clinging(); } finally { clinging(); } };
      for (const overflow of [recurse, () => proxy.x, bound, () => JSON.stringify(nested), () => String(nested),
                              () => nested.flat(Infinity), () => Getter.x, () => eval('('.repeat(1e5)),
                              () => new RegExp('a*'.repeat(1e5)).test('a'.repeat(100))]) {
        try { overflow(); outcomes.push('survived'); } catch (e) { outcomes.push(e instanceof RangeError && e.name); }
      }
      return outcomes.every((outcome) => outcome === 'RangeError') || outcomes;
    };)js") == "true");
  CHECK(outcome("export default () => { let depth = 0; const down = () => { depth++; down(); };"
                "try { down(); } catch {} return depth > 5000; };") == "true");
}

TEST_CASE("Deep source is refused or run, never a crash") {
  const auto repeat = [](const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  constexpr int kDepth = 100000;
  const std::string sources[] = {
      "export default () => " + repeat("(", kDepth) + "1" + repeat(")", kDepth) + ";",
      "export default () => " + repeat("[", kDepth) + "1" + repeat("]", kDepth) + ";",
      "export default () => " + repeat("`${", kDepth) + "1" + repeat("}`", kDepth) + ";",
      "export default () => " + repeat("!", kDepth) + "1;",
      "export default (x = 1) => { " + repeat("if (x > 1) {} else ", kDepth) + "{} return 1; };"};
  for (const std::string& source : sources) {
    CAPTURE(source.substr(0, 40));
    const Ending ending = run_module(source);
    CHECK((ending.result || ending.failure));
  }
}

TEST_CASE("UTF-8 is encoded and decoded by the web's rules") {
  CHECK(outcome("export default () => [...new TextEncoder().encode('aé€😀\\ud800')];") ==
        "[97,195,169,226,130,172,240,159,152,128,239,191,189]");
  CHECK(outcome(R"js(export default () => {
    const decode = (...bytes) => new TextDecoder().decode(new Uint8Array(bytes));
    return [decode(0xEF, 0xBB, 0xBF, 0x61), decode(0xF0, 0x9F, 0x98, 0x80), decode(0xE2, 0x82), decode(0xED, 0xA0, 0x80),
            decode(0xC0, 0x80), decode(0xF0, 0x90, 0x41), decode(0xF5, 0x80), decode()];
  };)js") == R"(["a","😀","�","���","��","�A","��",""])");
  CHECK(outcome("export default () => { try { new TextDecoder('utf-8', { fatal: true }).decode(new "
                "Uint8Array([0xFF])); }"
                "catch (e) { return e.name; } };") == R"("TypeError")");
}
