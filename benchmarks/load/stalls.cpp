#include "benchmarks/load/stalls.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "benchmarks/load/machine.h"

namespace cordon::load {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

// Shorter ones are interrupts.
constexpr Milliseconds kStall{0.2};

struct Seen {
  Milliseconds lost{0};
  Milliseconds longest{0};
  std::uint64_t over_one_ms = 0;
};

Seen watch(Clock::time_point end) {
  Seen seen;
  Clock::time_point last = Clock::now();
  while (last < end) {
    const auto now = Clock::now();
    const Milliseconds gap = now - last;
    last = now;
    if (gap < kStall) continue;
    seen.lost += gap;
    seen.longest = std::max(seen.longest, gap);
    if (gap >= Milliseconds(1)) ++seen.over_one_ms;
  }
  return seen;
}

void move_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

}  // namespace

Stalls watch_for_stalls(std::chrono::nanoseconds duration) {
  const std::vector<int> cpus = usable_cpu_numbers();
  std::vector<Seen> seen(cpus.size());
  std::vector<std::thread> watchers;
  const auto end = Clock::now() + duration;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    watchers.emplace_back([&seen, &cpus, i, end] {
      move_to(cpus[i]);
      seen[i] = watch(end);
    });
  }
  for (std::thread& watcher : watchers) watcher.join();

  Stalls all;
  all.watched_s = std::chrono::duration<double>(duration).count();
  Milliseconds lost{0};
  for (const Seen& each : seen) {
    all.over_one_ms += each.over_one_ms;
    all.longest_ms = std::max(all.longest_ms, each.longest.count());
    lost += each.lost;
  }
  const Milliseconds watched = duration * static_cast<std::int64_t>(seen.size());
  if (watched.count() > 0) all.lost_percent = std::min(100.0, 100 * (lost / watched));
  return all;
}

}  // namespace cordon::load
