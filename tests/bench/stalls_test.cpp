#include "benchmarks/load/stalls.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "benchmarks/load/machine.h"

using namespace cordon::load;
using namespace std::chrono_literals;

TEST_CASE("a machine that has other work is seen to stand still") {
  std::atomic<bool> over = false;
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 3 * usable_cpus(); ++i) {
    others.emplace_back([&over] {
      while (!over) {
      }
    });
  }
  const Stalls stalls = watch_for_stalls(400ms);
  over = true;
  for (std::thread& other : others) other.join();
  CHECK(stalls.watched_s == 0.4);
  CHECK(stalls.over_one_ms > 0);
  CHECK(stalls.longest_ms > 1);
  CHECK(stalls.lost_percent > 10);
  CHECK(stalls.lost_percent <= 100);
}

TEST_CASE("the watchers keep to no CPU when they are done") {
  const unsigned before = usable_cpus();
  watch_for_stalls(1ms);
  CHECK(usable_cpus() == before);
}
