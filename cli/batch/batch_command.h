#pragma once
// `cordon batch JOBS.jsonl -o RESULTS.jsonl`: a verdict for every line.

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "cli/batch/results_output.h"
#include "cli/batch/settings.h"
#include "cli/batch/tally.h"
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
  // The exit code: see --help.
  int execute() const;

 private:
  // How a batch ended, besides its answers.
  struct Ending {
    bool interrupted = false;
    std::optional<UsageError> problem;  // input or results could not be read or written
    std::string audit_head;
  };

  void add_flags();
  std::optional<UsageError> same_files() const;
  Result<batch::ResultsOutput, UsageError> open_output() const;
  // Everything, to the exit code.
  Result<int, UsageError> run() const;
  Ending answer_all(const AISandboxOptions& options, const batch::BatchSettings& settings,
                    batch::JobFeed& feed, batch::ResultsOutput& output, batch::Tally& tally,
                    UniqueFd input) const;

  CLI::App& command_;
  PolicyFlags policy_;
  std::string jobs_;  // as typed, like all that follows
  std::string output_;
  batch::TypedSettings typed_;
  std::optional<std::string> report_, audit_file_;
  bool resume_ = false;
  bool assert_module_ = false;
  bool quiet_ = false;
  bool jitless_ = false;
};

}  // namespace cordon
