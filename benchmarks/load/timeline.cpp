#include "benchmarks/load/timeline.h"

#include <sys/prctl.h>

#include <thread>

namespace cordon::load {

SteadyTimeline::SteadyTimeline() {
  // The kernel's default is to wake up to 50 µs late, to save power.
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

Nanoseconds SteadyTimeline::now() const { return std::chrono::steady_clock::now() - start_; }

void SteadyTimeline::sleep_until(Nanoseconds time) { std::this_thread::sleep_until(start_ + time); }

bool SteadyTimeline::wait(Nanoseconds until, const std::function<bool()>& holds) {
  std::unique_lock lock(mutex_);
  return change_.wait_until(lock, start_ + until, holds);
}

void SteadyTimeline::changed() {
  // Taken so that a change cannot fall between a wait's look and its sleep.
  { const std::lock_guard lock(mutex_); }
  change_.notify_one();
}

}  // namespace cordon::load
