#include "cli/batch/concurrency.h"

#include <catch2/catch.hpp>

using cordon::batch::Concurrency;
using cordon::batch::Machine;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr Machine kMachine{.cpus = 4, .available_memory = 8192 * kMiB};
constexpr std::uint64_t kJob = 240 * kMiB;

}  // namespace

TEST_CASE("a fixed number stays") {
  Concurrency fixed = Concurrency::fixed(7);
  fixed.adapt(Concurrency::Clock::now() + std::chrono::seconds(10), 7, true);
  CHECK(fixed.limit() == 7);
  CHECK(fixed.most() == 7);
}

TEST_CASE("automatic follows CPUs and memory") {
  CHECK(Concurrency::automatic(kMachine, kJob).limit() == 5);
  CHECK(Concurrency::automatic({.cpus = 0.5, .available_memory = 8192 * kMiB}, kJob).limit() == 2);
  CHECK(Concurrency::automatic({.cpus = 4, .available_memory = 600 * kMiB}, kJob).limit() == 2);
  CHECK(Concurrency::automatic({.cpus = 4, .available_memory = 1}, kJob).limit() == 1);
}

TEST_CASE("programs that wait make room for more, and busy ones take it back") {
  Concurrency automatic = Concurrency::automatic(kMachine, kJob);
  auto now = Concurrency::Clock::now();
  const auto turn = [&](double cpu_ms, bool full) {
    now += std::chrono::seconds(1);
    automatic.ended(cpu_ms);
    automatic.adapt(now, automatic.limit(), full, kMachine);
  };
  for (int i = 0; i < 100; ++i) turn(10, true);
  CHECK(automatic.limit() > 20);
  CHECK(automatic.limit() <= automatic.most());
  const std::size_t high = automatic.limit();
  turn(10, false);  // nobody waits: no reason for more
  CHECK(automatic.limit() == high);
  for (int i = 0; i < 100; ++i) turn(4200, true);
  CHECK(automatic.limit() == 5);
}

TEST_CASE("memory that goes away takes room with it, but never all") {
  Concurrency automatic = Concurrency::automatic(kMachine, kJob);
  const auto later = Concurrency::Clock::now() + std::chrono::seconds(1);
  automatic.adapt(later, 3, true, {.cpus = 4, .available_memory = 10 * kMiB});
  CHECK(automatic.limit() == 3);
  automatic.adapt(later, 0, true, {.cpus = 4, .available_memory = 0});
  CHECK(automatic.limit() == 1);
}

TEST_CASE("this machine has a CPU and memory") {
  const Machine machine = Machine::now();
  CHECK(machine.cpus > 0);
  CHECK(machine.available_memory > 0);
}
