// Children are forked from one warm engine: nothing that one does may reach the next, and nothing
// that must differ may be the same.

#include <catch2/catch.hpp>

#include <deque>
#include <future>
#include <memory>
#include <set>
#include <string>

#include "tests/system/world.h"

using namespace cordon;
using test::World;

namespace {

constexpr int kSiblings = 200;
constexpr std::size_t kInFlight = 8;

// Reports what it finds, then leaves marks wherever a guest can.
constexpr const char* kSource = R"(
  declare const globalThis: any;
  export default () => {
    const names = (of: any) => Reflect.ownKeys(of).map(String).sort().join();
    const found = {
      globals: names(globalThis),
      prototypes: [Array, Object, Function, Promise, RegExp, Map, Date, Error, String]
        .map(each => names(each) + ';' + names(each.prototype)).join('\n'),
      namespaces: [Math, JSON, Reflect, Intl, console, performance, crypto].map(names).join('\n'),
      lastMatch: (RegExp as any).lastMatch + (RegExp as any).input,
      timer: setTimeout(() => {}, 0),
      frozen: Object.isFrozen(Array.prototype) || Object.isSealed(globalThis),
      hooks: [Math.random, Date.now, performance.now, JSON.stringify, Promise.prototype.then,
              console.log, Error.prototype.toString].map(String).join('\n'),
      prepared: String((Error as any).prepareStackTrace) + String((Error as any).stackTraceLimit),
      sorted: [3, 1, 2].sort().join(),
      time: performance.now() >= 0 && performance.now() < 600000 && Date.now() > 1e12,
    };
    const random = [Math.random(), Math.random(), crypto.randomUUID(),
                    String(crypto.getRandomValues(new Uint8Array(16)))].map(String);

    globalThis.mark = 'mark';
    for (const each of [Array, Object, Function, Promise, RegExp, Map, Date, Error, String]) {
      (each as any).mark = (each.prototype as any).mark = 'mark';
    }
    for (const each of [Math, JSON, Reflect, Intl, console, performance, crypto]) {
      (each as any).mark = 'mark';
    }
    /mark/.test('mark');
    for (let i = 0; i < 50; ++i) setTimeout(() => {}, 1e6);
    Math.random = Date.now = performance.now = () => 42;
    console.log = console.error = () => {};
    JSON.stringify = () => 'mark';
    Promise.prototype.then = function () { return this as any; };
    (Error as any).prepareStackTrace = () => 'mark';
    (Error as any).stackTraceLimit = 1;
    Array.prototype.sort = function () { return this; };
    crypto.getRandomValues = (array: any) => array;
    Object.freeze(Array.prototype);
    return [found, random];
  };
)";

}  // namespace

TEST_CASE("200 siblings, each of which leaves its marks, find the same untouched world") {
  World world;
  std::deque<std::pair<std::unique_ptr<AISandbox>, std::future<Outcome>>> in_flight;
  std::set<std::string> worlds;
  std::set<std::string> random;
  std::size_t drawn = 0;
  const auto take = [&] {
    const Outcome outcome = in_flight.front().second.get();
    INFO((outcome.error ? outcome.error->message : ""));
    REQUIRE(outcome.status == Status::kOk);
    const auto view = outcome.result->view();
    CHECK(view[0]["time"] == true);
    worlds.insert(view[0].dump());
    for (const auto& each : view[1]) {
      random.insert(each.get<std::string>());
      ++drawn;
    }
    in_flight.pop_front();
  };
  AISandboxOptions options;
  options.resources.wall_clock_ms = 120'000;
  for (int i = 0; i < kSiblings; ++i) {
    if (in_flight.size() == kInFlight) take();
    auto sandbox = std::make_unique<AISandbox>(world.runtime, kSource, options);
    auto outcome = sandbox->call_async();
    in_flight.emplace_back(std::move(sandbox), std::move(outcome));
  }
  while (!in_flight.empty()) take();
  CHECK(worlds.size() == 1);
  CHECK(worlds.begin()->find("mark") == std::string::npos);
  CHECK(drawn == kSiblings * 4U);
  CHECK(random.size() == drawn);
}
