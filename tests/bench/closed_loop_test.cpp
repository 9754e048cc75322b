#include "benchmarks/load/closed_loop.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <mutex>
#include <stdexcept>

using namespace cordon::load;
using namespace std::chrono_literals;

TEST_CASE("a loop makes exactly the calls it may, each with its own number") {
  for (const std::size_t callers : {1U, 4U}) {
    std::mutex mutex;
    std::vector<std::uint64_t> numbers;
    const LoopResult result = run_closed_loop(
        {.callers = callers, .duration = 1h, .calls = 100}, 7, [&](std::uint64_t number) {
          const std::lock_guard lock(mutex);
          numbers.push_back(number);
          return CallResult{.kind = number % 2, .samples = {1, 2}, .child_cpu_ms = 0.5};
        });
    std::sort(numbers.begin(), numbers.end());
    REQUIRE(numbers.size() == 100);
    CHECK(numbers.front() == 7);
    CHECK(numbers.back() == 106);
    CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
    CHECK(result.tally.calls == 100);
    CHECK(result.tally.all().count() == 200);
    REQUIRE(result.tally.kinds.size() == 2);
    CHECK(result.tally.kinds[1].count() == 100);
    CHECK(result.tally.child_cpu_ms == Approx(50));
    CHECK(result.seconds > 0);
  }
}

TEST_CASE("callers call at the same time") {
  std::barrier together(3);  // a loop of fewer callers would never get past it
  const LoopResult result =
      run_closed_loop({.callers = 3, .duration = 1h, .calls = 9}, 0, [&](std::uint64_t) {
        together.arrive_and_wait();
        return CallResult{};
      });
  CHECK(result.tally.calls == 9);
}

TEST_CASE("a loop whose time is up still makes one call") {
  const LoopResult result = run_closed_loop({.callers = 4, .duration = 0ms}, 0,
                                            [](std::uint64_t) { return CallResult{}; });
  CHECK(result.tally.calls == 1);
}

TEST_CASE("what a call throws ends the loop") {
  std::atomic<int> calls = 0;
  const auto call = [&](std::uint64_t number) -> CallResult {
    ++calls;
    if (number == 5) throw std::runtime_error("wrong");
    return {};
  };
  CHECK_THROWS_WITH(run_closed_loop({.callers = 2, .duration = 1h}, 0, call), "wrong");
  CHECK(calls >= 1);
}
