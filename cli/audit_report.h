#pragma once
// Questions about a trail as a whole: `cordon audit stats`, `suggest-grants` and `export`.

#include <CLI/CLI.hpp>

#include <string>

#include "cli/event_flags.h"

namespace cordon {

// Registers the subcommand with `audit`, which writes into this object while it parses.
class AuditStats {
 public:
  explicit AuditStats(CLI::App& audit);
  AuditStats(const AuditStats&) = delete;
  AuditStats& operator=(const AuditStats&) = delete;

  bool chosen() const { return command_.parsed(); }
  int execute() const;

 private:
  CLI::App& command_;
  EventFlags events_;
  bool json_ = false;
};

// The same. Prints a policy; what a person must see to goes to standard error.
class AuditSuggestGrants {
 public:
  explicit AuditSuggestGrants(CLI::App& audit);
  AuditSuggestGrants(const AuditSuggestGrants&) = delete;
  AuditSuggestGrants& operator=(const AuditSuggestGrants&) = delete;

  bool chosen() const { return command_.parsed(); }
  int execute() const;

 private:
  CLI::App& command_;
  EventFlags events_;
  bool include_denied_ = false;
};

// The same. Prints one JSON text a line.
class AuditExport {
 public:
  explicit AuditExport(CLI::App& audit);
  AuditExport(const AuditExport&) = delete;
  AuditExport& operator=(const AuditExport&) = delete;

  bool chosen() const { return command_.parsed(); }
  int execute() const;

 private:
  CLI::App& command_;
  EventFlags events_;
  std::string format_;
};

}  // namespace cordon
