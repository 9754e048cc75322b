#pragma once
// `cordon audit verify FILE`: is this trail the one that was written?

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon {

// Registers the subcommand with `audit`, which writes into this object while it parses.
class AuditVerify {
 public:
  explicit AuditVerify(CLI::App& audit);
  AuditVerify(const AuditVerify&) = delete;
  AuditVerify& operator=(const AuditVerify&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Prints the findings as JSON. The exit code is 0 for a good trail, 1 for a bad one and 2 for a
  // trail or key that cannot be read.
  int execute() const;

 private:
  CLI::App& command_;
  std::string file_;
  std::optional<std::string> expected_head_;
  std::vector<std::string> public_keys_;
};

}  // namespace cordon
