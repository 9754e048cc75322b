#pragma once
// `cordon audit show FILE`, its newest events, and `cordon audit query FILE`, those that match.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "cli/event_flags.h"

namespace cordon {

// Registers the subcommand with `audit`, which writes into this object while it parses.
class AuditQuery {
 public:
  enum class Kind : bool { kShow, kQuery };
  AuditQuery(CLI::App& audit, Kind kind);
  AuditQuery(const AuditQuery&) = delete;
  AuditQuery& operator=(const AuditQuery&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Prints events as a table, or one JSON object a line.
  int execute() const;

 private:
  int print_all(std::uint64_t limit) const;
  int print_last(std::uint64_t limit) const;
  bool print(const SandboxAuditEvent& event) const;

  const Kind kind_;
  CLI::App& command_;
  EventFlags events_;
  std::optional<std::string> limit_;
  bool json_ = false;
  bool follow_ = false;
};

}  // namespace cordon
