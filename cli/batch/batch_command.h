#pragma once
// `cordon batch JOBS.jsonl -o RESULTS.jsonl`: a verdict for every line.

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/batch/batch_run.h"
#include "cli/batch/job_feed.h"
#include "cli/batch/results_output.h"
#include "cli/policy_flags.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Registers the subcommand with `cordon`, which writes into this object while it parses.
class BatchCommand {
 public:
  explicit BatchCommand(CLI::App& cordon);
  BatchCommand(const BatchCommand&) = delete;
  BatchCommand& operator=(const BatchCommand&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Exit codes: see --help.
  int execute() const;

 private:
  struct Settings {
    AISandboxOptions options;
    batch::RunSettings run;
    batch::Concurrency concurrency;
    batch::Shard shard;
    std::optional<double> fail_under;  // percent
  };
  Result<Settings, UsageError> settings() const;
  Result<batch::Concurrency, UsageError> concurrency(const AISandboxOptions& options) const;
  Result<int, UsageError> run(const Settings& settings) const;

  CLI::App& command_;
  PolicyFlags policy_;
  std::string jobs_;  // as typed, like all that follows
  std::string output_;
  std::string parallel_ = "auto";
  std::optional<std::string> shard_, retry_, seed_, clock_, fail_under_, report_, audit_file_;
  bool resume_ = false;
  bool assert_module_ = false;
  bool quiet_ = false;
  bool jitless_ = false;
};

}  // namespace cordon
