#pragma once
// What this process and the engine's hold, looked at a few times while a loop runs: what leaks
// shows as growth from one look to the next.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace cordon::load {

struct Footprint {
  double seconds = 0;             // since the loop's start
  std::uint64_t host_kib = 0;     // resident set of this process
  std::uint64_t service_kib = 0;  // resident sets of the engine's own processes
  std::uint64_t descriptors = 0;  // of this process
  std::uint64_t threads = 0;      // of this process, those of the loop included
  std::uint64_t processes = 0;    // that descend from it, sandboxes of that moment included
};

// `services`: the engine's own processes.
Footprint take_footprint(const std::vector<pid_t>& services);

// Looks on construction, at each quarter of `duration` on a thread of its own, and at finish().
class FootprintWatch {
 public:
  FootprintWatch(std::vector<pid_t> services, std::chrono::milliseconds duration);
  // At least two looks, in order of time; quarters that had not come are missing. Since what a call
  // held may be closed a moment after it was answered, the last one is taken once there is no more
  // than at the start, or after a second.
  std::vector<Footprint> finish();

 private:
  Footprint look() const;

  const std::vector<pid_t> services_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<Footprint> looks_;
  std::jthread watcher_;
};

// Why the looks are not those of a loop that leaves nothing behind; empty when they are. Once warm
// (from the first quarter on) memory may not grow by more than a twentieth or 4 MiB, and at the end
// there are no more descriptors, threads and processes than at the start.
std::string growth(const std::vector<Footprint>& looks);

}  // namespace cordon::load
