#pragma once
// What the calls of one loop come to. Bounded in size, however many there are.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/load/histogram.h"

namespace cordon::load {

// What one call came to. Most calls give one sample; one that measures inside gives many.
struct CallResult {
  std::size_t kind = 0;  // of the workload's kinds
  std::vector<double> samples;
  double child_cpu_ms = 0;
};

// Not thread-safe.
struct Tally {
  std::vector<Histogram> kinds;  // by CallResult::kind; as many as have been seen
  std::uint64_t calls = 0;
  double child_cpu_ms = 0;  // of all calls

  void add(const CallResult& call);
  Histogram all() const;
};

}  // namespace cordon::load
