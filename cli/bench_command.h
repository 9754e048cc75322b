#pragma once
// `cordon bench`: the jobs that Cordon is measured by, run on this machine.

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

// Registers the subcommand with `cordon`, which writes into this object while it parses.
class BenchCommand {
 public:
  explicit BenchCommand(CLI::App& cordon);
  BenchCommand(const BenchCommand&) = delete;
  BenchCommand& operator=(const BenchCommand&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Prints the figures. The exit code is 1 when a call had a wrong result, 2 for usage and 3 when
  // this host cannot enforce the sandbox.
  int execute() const;

 private:
  Result<std::vector<std::string>, UsageError> jobs() const;
  Result<load::LoadSettings, UsageError> settings() const;

  CLI::App& command_;
  std::optional<std::string> jobs_;  // as typed, like all that follows
  std::optional<std::string> callers_;
  std::optional<std::string> duration_;
  std::optional<std::string> calls_;
  std::optional<std::string> warm_up_;
  std::optional<std::string> sandboxes_;
  std::optional<std::string> trips_;
  std::optional<std::size_t> spares_;
  AuditFlags audit_;
  bool json_ = false;
};

}  // namespace cordon
