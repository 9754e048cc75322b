// Memory limits: whatever fills up, the outcome is `outOfMemory`, and garbage alone never is.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using cordon::wire::Failure;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

void check_out_of_memory(const std::string& body, std::uint64_t data_limit) {
  CAPTURE(body, data_limit);
  const Ending ending = host().run({.code = "export default async () => {" + body + "};",
                                    .heap_bytes = 32 * kMiB,
                                    .data_limit_bytes = data_limit});
  REQUIRE(ending.failure);
  CHECK(ending.failure->kind == Failure::Kind::OUT_OF_MEMORY);
}

}  // namespace

TEST_CASE("Filling memory ends the run as out of memory") {
  const char* const fillers[] = {
      "const all = []; for (;;) all.push(new Array(100000).fill(Math.random()), 'y'.repeat(1 << "
      "20) + all.length);",
      "const all = []; for (;;) all.push(new Uint8Array(1 << 20));",
      "const all = new Map(); for (let i = 0; ; i++) all.set(i, { i });",
      "const all = new Set(); for (let i = 0; ; i++) all.add(`s${i}`);",
      "const all = []; for (;;) all.push({ a: all.length, b: [1, 2] });",
      "const all = []; for (;;) all.push(() => all);",
      "let all = null; for (;;) all = { all };",
      "const all = []; for (;;) { await null; all.push(new Array(1000).fill({})); }",
      "const all = []; for (;;) { await new Promise((r) => setTimeout(r, 0)); all.push(new "
      "ArrayBuffer(4 << 20)); }"};
  for (const char* filler : fillers) {
    check_out_of_memory(filler, 0);
    check_out_of_memory(filler, 96 * kMiB);
  }
}

TEST_CASE("Catching does not help to stay alive beyond the limit") {
  check_out_of_memory(
      "const all = []; for (;;) try { for (;;) all.push(new Array(1e5).fill(1)); } catch {}", 0);
}

TEST_CASE("One allocation that is too large can be caught") {
  const Ending ending = host().run(
      {.code = "export default () => { try { new ArrayBuffer(2 ** 31); return 'had it'; }"
               "catch { return 'caught'; } };",
       .heap_bytes = 32 * kMiB,
       .data_limit_bytes = 96 * kMiB});
  CHECK(describe(ending) == R"("caught")");
}

TEST_CASE("One allocation that is too large and not caught is out of memory") {
  check_out_of_memory("return new ArrayBuffer(2 ** 31);", 96 * kMiB);
}

TEST_CASE("Garbage is not counted") {
  const Ending ending = host().run({.code = R"js(
      export default async () => {
        let kept;
        for (let i = 0; i < 400; i++) { kept = new Uint8Array(1 << 20); kept[5] = 1; }
        for (let i = 0; i < 200; i++) { kept = new Array(100000).fill(i); if (i % 50 === 0) await null; }
        for (let i = 0; i < 2e6; i++) kept = { i, list: [i] };
        for (let i = 0; i < 200; i++) kept = 'y'.repeat(1 << 20) + i;
        return kept.length;
      };)js",
                                    .heap_bytes = 32 * kMiB,
                                    .data_limit_bytes = 256 * kMiB});
  CHECK(describe(ending) == "1048579");
}

TEST_CASE("A guest that throws the engine's words is not out of memory") {
  CHECK(outcome("export default () => { throw 'out of memory'; };") ==
        "threw Error: Uncaught \"out of memory\"");
}
