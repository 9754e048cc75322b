#pragma once
// Runs one job on a runtime of its own and says what it took.

#include <cordon/audit_options.h>
#include <cordon/runtime.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "benchmarks/load/statistics.h"

namespace cordon::load {

struct LoadSettings {
  std::size_t callers = 1;                    // calls at one time
  std::chrono::milliseconds duration{3000};   // of each job, warm-up excluded
  std::optional<std::uint64_t> calls = {};    // of each job at most
  std::uint64_t warm_up_calls = 20;           // before it, not counted
  std::size_t sandboxes = 50;                 // alive at once in J4 and J4w
  std::uint64_t round_trips = 1000;           // of one call of J2
  std::optional<std::size_t> spare_children;  // none: what the job is about
  AuditOptions audit = {};
};

struct JobReport {
  std::string job;
  EngineInfo engine;
  std::string unit;  // of the samples
  Summary samples;
  std::uint64_t calls = 0;
  std::size_t callers = 0;
  std::size_t spare_children = 0;

  // Of a job that calls in a loop; 0 otherwise.
  double calls_per_second = 0;
  // CPU milliseconds per call: this process with the loop itself, the sandboxes, and what is left
  // of the engine's processes (zygote and compiler).
  double host_cpu_ms = 0;
  double child_cpu_ms = 0;
  double service_cpu_ms = 0;

  // KiB (PSS), at the start of what is measured and at its end; where sandboxes are kept alive,
  // without and with them.
  std::uint64_t host_kib_before = 0;
  std::uint64_t host_kib_after = 0;
  // The engine's own processes, zygote and compiler.
  std::uint64_t service_kib_before = 0;
  std::uint64_t service_kib_after = 0;
};

// `name` is one of job_titles(). Throws Unavailable where this host cannot enforce the sandbox, and
// WrongResult when a call did not come to what it must, or left a process behind.
JobReport measure_job(std::string_view name, const LoadSettings& settings);

}  // namespace cordon::load
