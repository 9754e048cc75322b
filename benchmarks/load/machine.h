#pragma once
// What figures were taken on. They can only be compared with others of the same.

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/load/stalls.h"

namespace cordon::load {

struct Machine {
  std::string date = {};    // UTC: "2026-01-31T12:00:00Z"
  std::string cordon = {};  // version: "0.1.0"
  std::string cpu = {};     // model
  unsigned cpus = 0;        // that this process may use
  std::string kernel = {};  // release
  double load_before = 0;   // processes that want to run, averaged over a minute
  double load_after = 0;
  std::optional<Stalls> stalls = {};  // right before; where tails are judged
};

std::vector<int> usable_cpu_numbers();  // by this process; none when the kernel does not say
unsigned usable_cpus();                 // how many, at least 1

// As it is now; `load_after` is 0.
Machine this_machine();

}  // namespace cordon::load
