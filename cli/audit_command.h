#pragma once
// `cordon audit verify FILE`: is this trail the one that was written?

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace cordon {

// Registers the subcommand with `cordon`, which writes into this object while it parses.
class AuditCommand {
 public:
  explicit AuditCommand(CLI::App& cordon);
  AuditCommand(const AuditCommand&) = delete;
  AuditCommand& operator=(const AuditCommand&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Prints the findings as JSON. The exit code is 0 for a good trail, 1 for a bad one and 2 for a
  // file that cannot be read.
  int execute() const;

 private:
  CLI::App& command_;
  std::string file_;
  std::optional<std::string> expected_head_;
};

}  // namespace cordon
