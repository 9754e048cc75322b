#pragma once
// What a loop calls: calls of one kind, or of several in a fixed order. Every call has a sandbox
// and a source text of its own, and its result is checked.

#include <cordon/runtime.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/load/jobs.h"
#include "benchmarks/load/tally.h"

namespace cordon::load {

// What a job measures, for people.
struct JobTitle {
  std::string_view name;  // "J1"
  std::string_view text;
};
std::span<const JobTitle> job_titles();
// The jobs that measure memory: they keep sandboxes alive instead of calling in a loop.
inline constexpr std::string_view kMemoryJob = "J4";
inline constexpr std::string_view kProcessMemoryJob = "J4p";
inline constexpr std::string_view kSpareMemoryJob = "J4w";
inline constexpr std::string_view kMixJob = "mix";
bool calls_in_a_loop(std::string_view name);

struct Workload {
  struct Kind {
    std::string name;
    Job job;
  };
  std::vector<Kind> kinds;
  std::vector<std::uint8_t> order;  // indices of kinds, over and over

  std::size_t kind_of(std::uint64_t number) const { return order[number % order.size()]; }
  // Of a blend, the time of each whole call is what counts, whatever its job times inside.
  bool blend() const { return kinds.size() > 1; }
  std::string_view unit() const { return blend() ? "ms" : kinds.front().job.unit; }
  bool spare_waits() const { return kinds.front().job.spare_waits; }
  std::chrono::milliseconds pause() const { return kinds.front().job.pause; }
};

// `name` is one of job_titles() that calls in a loop. Throws std::invalid_argument for any other.
Workload make_workload(std::string_view name, const JobSettings& settings);

// A sandbox for the call with that number.
AISandbox sandbox_for(Runtime& runtime, const Workload& workload, std::uint64_t number);
// Throws WrongResult.
CallResult judge(const Workload& workload, std::uint64_t number, const Outcome& outcome,
                 double took_ms);

}  // namespace cordon::load
