#pragma once
// How many programs run at one time.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cordon::batch {

// What this process may use, right now. Read anew at every call.
struct Machine {
  double cpus = 1;                     // within affinity and the cgroup's quota
  std::uint64_t available_memory = 0;  // bytes, within the cgroup's limit

  static Machine now();
};

// Automatic: as many as keep the CPUs busy, and as fit into memory if each takes all it may.
// Programs that wait make room for more. Not thread-safe.
class Concurrency {
 public:
  using Clock = std::chrono::steady_clock;

  static Concurrency fixed(std::size_t count);
  static Concurrency automatic(const Machine& machine, std::uint64_t job_memory_bytes);

  std::size_t limit() const noexcept { return limit_; }
  std::size_t most() const noexcept { return most_; }  // that limit() will ever be

  // A run has ended.
  void ended(double cpu_ms) noexcept { cpu_ms_ += cpu_ms; }
  // To be called now and then. `full`: as many were running as the limit allows.
  void adapt(Clock::time_point now, std::size_t running, bool full);
  // The same with what the machine is like given, for tests.
  void adapt(Clock::time_point now, std::size_t running, bool full, const Machine& machine);

 private:
  std::size_t base_ = 1;
  std::size_t limit_ = 1;
  std::size_t most_ = 1;
  bool automatic_ = false;
  std::uint64_t job_memory_bytes_ = 0;
  double cpu_ms_ = 0;  // of runs that ended since `since_`
  Clock::time_point since_ = Clock::now();
};

}  // namespace cordon::batch
