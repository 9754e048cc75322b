#pragma once
// What benchmarks came to: figures and what they were taken on, without the means of taking them.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/load/footprint.h"
#include "benchmarks/load/machine.h"
#include "benchmarks/load/statistics.h"

namespace cordon::load {

// Of an open loop.
struct OpenLoad {
  double per_second = 0;  // asked for
  std::string arrivals;   // "constant", "poisson"
  std::uint64_t seed = 0;
  std::optional<double> capacity_percent = {};  // in a sweep: of what a closed loop can have
  std::uint64_t busy = 0;                       // OpenResult says what these are
  std::uint64_t wrong = 0;
  std::string first_wrong = {};
  std::uint64_t held = 0;
  std::uint64_t unbegun = 0;
  Summary start_lag_ms = {};

  // Calls began so late that figures say more of the load's generator than of what was loaded.
  bool fell_behind(const Summary& latency_ms) const {
    return held > 0 || unbegun > 0 || start_lag_ms.p99 > latency_ms.p50;
  }
};

// Of some shares (0.5 is the median) the sample that they do not exceed; both ascend.
using Distribution = std::vector<std::pair<double, double>>;

struct KindReport {
  std::string kind;
  Summary samples = {};  // milliseconds of each call
  Distribution distribution = {};
};

struct JobReport {
  std::string job;
  std::string unit;  // of the samples
  Summary samples;
  Distribution distribution;
  std::vector<KindReport> kinds;  // of a blend
  std::uint64_t calls = 0;        // that ended right; sandboxes, where those are counted
  std::size_t callers = 0;        // 0 in an open loop
  std::size_t parallel = 0;       // calls that the runtime lets run at one time; 0: its default
  std::size_t spare_children = 0;
  std::uint64_t round_trips = 0;  // of each call of J2; 0 in any other
  std::optional<OpenLoad> open;

  // Of a job that calls in a loop; 0 otherwise.
  double calls_per_second = 0;
  // CPU milliseconds per call: this process with the loop itself, the sandboxes, and what is left
  // of the engine's processes (zygote and compiler).
  double host_cpu_ms = 0;
  double child_cpu_ms = 0;
  double service_cpu_ms = 0;

  // KiB (PSS), at the start of what is measured and at its end; where sandboxes are kept alive,
  // without and with them. 0 where this user may not read it.
  std::uint64_t host_kib_before = 0;
  std::uint64_t host_kib_after = 0;
  // The engine's own processes, zygote and compiler.
  std::uint64_t service_kib_before = 0;
  std::uint64_t service_kib_after = 0;

  std::vector<Footprint> footprints;  // of a loop
};

// "J1", "J1 -j 2", "J1 at 80 %", "J1 at 200/s": tells reports of one run apart.
std::string label(const JobReport& report);

struct BenchReport {
  Machine machine;
  std::string engine;  // "mozjs-102.15.1"
  std::uint64_t huge_text_kib = 0;
  std::uint64_t huge_data_kib = 0;
  std::vector<JobReport> jobs;
};

}  // namespace cordon::load
