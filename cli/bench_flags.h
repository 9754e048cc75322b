#pragma once
// The flags of `cordon bench`: what is measured, under what load, and where it is written.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/load/measurement.h"
#include "cli/audit_flags.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

struct BenchPlan {
  enum class What : std::uint8_t { kJobs, kSweep, kTargets };
  What what = What::kJobs;
  std::vector<std::string> jobs;                      // of kJobs and kSweep
  std::vector<std::optional<std::size_t>> parallels;  // each job once for each; at least one
  load::LoadSettings settings;
  bool json = false;
  bool soak = false;
  std::optional<std::string> save, compare, plot;  // names of files
  double tolerance = 0.1;                          // of the comparison: 0.1 is 10 %
};

// Registers the flags with `command`, which writes into this object while it parses.
class BenchFlags {
 public:
  explicit BenchFlags(CLI::App& command);
  BenchFlags(const BenchFlags&) = delete;
  BenchFlags& operator=(const BenchFlags&) = delete;

  Result<BenchPlan, UsageError> plan() const;

 private:
  std::optional<UsageError> conflict() const;
  Result<std::vector<std::string>, UsageError> jobs() const;
  Result<std::vector<std::optional<std::size_t>>, UsageError> parallels() const;
  Result<load::LoadSettings, UsageError> settings() const;
  std::optional<UsageError> set_open_loop(load::LoadSettings& settings) const;
  std::optional<UsageError> set_warm_up(load::LoadSettings& settings) const;

  AuditFlags audit_;
  // As typed.
  std::optional<std::string> jobs_, callers_, parallel_, duration_, calls_, warm_up_, sandboxes_,
      trips_, rate_, arrivals_, seed_, in_flight_, queue_, tolerance_;
  std::optional<std::string> save_, compare_, plot_;
  std::optional<std::string> spares_;
  bool sweep_ = false;
  bool targets_ = false;
  bool soak_ = false;
  bool json_ = false;
};

}  // namespace cordon
