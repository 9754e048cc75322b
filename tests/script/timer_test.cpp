// Timers and microtasks: order, repetition, stopping.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;

namespace {

std::string order(const std::string& body) {
  return outcome(
      "export default async () => { const seen = []; const note = (x) => seen.push(x);"
      "const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));" +
      body + " return seen.join(); };");
}

}  // namespace

TEST_CASE("Timers run by due time, then by age") {
  CHECK(order("setTimeout(note, 20, 'c'); setTimeout(note, 0, 'a'); setTimeout(note, 0, 'b'); "
              "await sleep(40);") == R"("a,b,c")");
}

TEST_CASE("Microtasks run between timers, in order of arrival") {
  CHECK(order("setTimeout(() => { note(1); queueMicrotask(() => note(2)); "
              "Promise.resolve().then(() => note(3)); }, 0);"
              "setTimeout(() => note(4), 0); await sleep(10);") == R"("1,2,3,4")");
  CHECK(order("queueMicrotask(() => { note(1); queueMicrotask(() => note(3)); });"
              "Promise.resolve().then(() => note(2)); note(0); await sleep(1);") == R"("0,1,2,3")");
}

TEST_CASE("An awaited settled promise in a timer's callback does not overtake the callback") {
  CHECK(order("const later = async () => { await null; note('after'); };"
              "setTimeout(() => { later(); note('before'); }, 0); await sleep(5);") ==
        R"("before,after")");
}

TEST_CASE("Intervals repeat until they are stopped, by their own callback too") {
  CHECK(order("let n = 0; const id = setInterval((x) => { note(x + n); if (++n === 3) "
              "clearInterval(id); }, 1, 'i');"
              "await sleep(30);") == R"("i0,i1,i2")");
}

TEST_CASE("A stopped timer does not run, stopping nonsense is harmless") {
  CHECK(order("const id = setTimeout(note, 0, 'no'); setTimeout(() => note('yes'), 1); "
              "clearTimeout(id); clearTimeout(id);"
              "clearTimeout(-1); clearTimeout(1e9); await sleep(5);") == R"("yes")");
}

TEST_CASE("Replies are taken while timers are due without pause") {
  const Ending ending =
      host().run({.code = "import { environment } from 'fino:ai/sandbox/capabilities';"
                          "export default async () => { let on = true; const spin = () => { if "
                          "(on) setTimeout(spin, 0); }; spin();"
                          "const value = await environment('A'); on = false; return value; };"},
                 [](auto, auto reply) { reply.setText("taken"); });
  CHECK(describe(ending) == R"("taken")");
}

TEST_CASE("A timer is never early") {
  CHECK(outcome("export default async () => { for (const ms of [0, 1, 3, 7]) { const start = "
                "performance.now();"
                "await new Promise((resolve) => setTimeout(resolve, ms));"
                "if (performance.now() - start < ms) return ms; } return 'never'; };") ==
        R"("never")");
}
