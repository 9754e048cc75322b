#pragma once
// Where the audit trail of a run goes, and how sure it is.

#include <cordon/audit_options.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Registers its flags with a command, which writes into this object while it parses.
class AuditFlags {
 public:
  explicit AuditFlags(CLI::App& command);
  AuditFlags(const AuditFlags&) = delete;
  AuditFlags& operator=(const AuditFlags&) = delete;

  // Whether a trail is kept at all.
  bool given() const { return !sinks_.empty(); }
  Result<AuditOptions, UsageError> options() const;

 private:
  std::vector<std::string> sinks_;  // as typed, like all that follows
  std::optional<std::string> durability_;
  std::optional<std::string> rotate_size_;
  std::optional<std::string> rotate_age_;
  std::optional<std::string> signing_key_;
  bool best_effort_ = false;
};

}  // namespace cordon
