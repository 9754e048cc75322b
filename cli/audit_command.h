#pragma once
// `cordon audit`: is a trail the one that was written, and what does it say?

#include <CLI/CLI.hpp>

#include "cli/audit_query.h"
#include "cli/audit_report.h"
#include "cli/audit_verify.h"

namespace cordon {

// Registers the subcommands with `cordon`, which writes into this object while it parses.
class AuditCommand {
 public:
  explicit AuditCommand(CLI::App& cordon);

  bool chosen() const { return command_.parsed(); }
  int execute() const;

 private:
  CLI::App& command_;
  AuditVerify verify_;
  AuditQuery show_;
  AuditQuery query_;
  AuditStats stats_;
  AuditSuggestGrants suggest_grants_;
  AuditExport export_;
};

}  // namespace cordon
