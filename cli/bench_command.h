#pragma once
// `cordon bench`: the jobs that Cordon is measured by, run on this machine.

#include <CLI/CLI.hpp>

#include "cli/bench_flags.h"

namespace cordon {

// Registers the subcommand with `cordon`, which writes into this object while it parses.
class BenchCommand {
 public:
  explicit BenchCommand(CLI::App& cordon);
  BenchCommand(const BenchCommand&) = delete;
  BenchCommand& operator=(const BenchCommand&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Prints the figures. The exit code is 1 when a call had a wrong result or a figure is worse than
  // that of --compare, 2 for usage and 3 when this host cannot enforce the sandbox.
  int execute() const;

 private:
  CLI::App& command_;
  BenchFlags flags_;
};

}  // namespace cordon
