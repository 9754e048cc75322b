#pragma once
// Runs one job on a runtime of its own and says what it took.

#include <cordon/audit_options.h>
#include <cordon/runtime.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "benchmarks/load/arrivals.h"
#include "benchmarks/load/bench_report.h"

namespace cordon::load {

struct LoadSettings {
  std::optional<std::size_t> callers = {};   // of a closed loop; none: as many as `parallel`, or 1
  std::optional<std::size_t> parallel = {};  // calls that run at one time; none: as many as
                                             // callers, and in an open loop the runtime's default
  std::chrono::milliseconds duration{3000};  // of each job, warm-up excluded
  std::optional<std::uint64_t> calls = {};   // of each job at most
  std::uint64_t warm_up_calls = 20;          // before it, not counted
  std::optional<std::chrono::milliseconds> warm_up_time = {};  // instead of `warm_up_calls`
  std::size_t sandboxes = 50;                                  // alive at once in J4, J4p, J4w
  std::uint64_t round_trips = 1000;                            // of one call of J2
  std::optional<std::size_t> spare_children;                   // none: what the job is about
  AuditOptions audit = {};
  std::filesystem::path directory = {};  // of the file that J7 reads; empty: the system's

  // Of an open loop.
  std::optional<double> per_second = {};  // none: a closed loop
  ArrivalKind arrivals = ArrivalKind::kConstant;
  std::uint64_t seed = 1;
  std::size_t max_in_flight = 2048;
  std::size_t max_queued = 1024;  // in the runtime; more are refused as busy
};

// A runtime that calls of one workload are made on, warmed up on construction.
class LoadSession {
 public:
  // `name` is one of job_titles() that calls in a loop. Throws Unavailable where this host cannot
  // enforce the sandbox, and WrongResult when a call did not come to what it must.
  LoadSession(std::string_view name, const LoadSettings& settings);
  ~LoadSession();

  // Both throw WrongResult when a call left a process behind; the closed loop also when one did not
  // come to what it must, which the open loop counts.
  JobReport closed_loop(std::size_t callers);
  JobReport open_loop(double per_second);

  EngineInfo engine() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct Measured {
  JobReport report;
  EngineInfo engine;
};

// This user may not know. Says whose leave it takes.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `name` is one of job_titles(). Throws as a session does, and Unreadable for a job that measures
// memory.
Measured measure_job(std::string_view name, const LoadSettings& settings);

}  // namespace cordon::load
