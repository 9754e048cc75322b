#pragma once
// `cordon doctor`: whether this host can enforce the sandbox, found out by attacking it.

#include <CLI/CLI.hpp>

namespace cordon {

// Registers the subcommand with `cordon`, which writes into this object while it parses.
class DoctorCommand {
 public:
  explicit DoctorCommand(CLI::App& cordon);
  DoctorCommand(const DoctorCommand&) = delete;
  DoctorCommand& operator=(const DoctorCommand&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Prints what was found; the exit code is 0 when all that is required holds, else 3.
  int execute() const;

 private:
  CLI::App& command_;
  bool json_ = false;
  bool without_commands_ = false;
};

}  // namespace cordon
