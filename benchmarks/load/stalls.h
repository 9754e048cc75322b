#pragma once
// How long this machine stands still by itself: a virtual machine whose host has other work, a
// kernel that is busy. No latency measured on it can have a better tail.

#include <chrono>
#include <cstdint>

namespace cordon::load {

struct Stalls {
  double watched_s = 0;           // on each CPU that this process may use
  std::uint64_t over_one_ms = 0;  // on all of them together
  double longest_ms = 0;          // 0: none counted
  double lost_percent = 0;        // of the time of all CPUs, in stalls of over 0.2 ms
};

// A thread on each usable CPU does nothing but read the clock for so long. On a machine that has
// other work, what that takes counts as well.
Stalls watch_for_stalls(std::chrono::nanoseconds duration);

}  // namespace cordon::load
