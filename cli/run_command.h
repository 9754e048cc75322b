#pragma once
// `cordon run FILE [flags] [-- ARG...]`: one program, one sandbox, one outcome. FILE may be "-",
// standard input.

#include <cordon/sandbox.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/audit_flags.h"
#include "cli/policy_flags.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Registers the subcommand with `cordon`, which writes into this object while it parses.
class RunCommand {
 public:
  explicit RunCommand(CLI::App& cordon);
  RunCommand(const RunCommand&) = delete;
  RunCommand& operator=(const RunCommand&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Runs the program and reports, or prints the policy; returns the exit code.
  int execute(const std::vector<std::string>& arguments) const;

 private:
  // What is read before anything starts.
  struct Program {
    std::string source;
    std::string name;  // without its directory: the guest sees it in stack traces
    AISandboxOptions options;
    AuditOptions audit;
    Value arguments;
  };
  struct Ending {
    Outcome outcome;
    std::vector<std::string> audit_events;  // JSON texts; only collected for --json
    std::string audit_head;
    std::uint64_t audit_lost = 0;  // events that could not be written
  };

  Result<Program, UsageError> load(AISandboxOptions options,
                                   const std::vector<std::string>& arguments) const;
  Result<Ending, UsageError> run(Program program) const;
  int report(const Ending& ending, const std::string& name) const;

  CLI::App& command_;
  PolicyFlags policy_;
  std::string file_;
  AuditFlags audit_;
  bool script_ = false;
  bool assert_module_ = false;
  bool json_ = false;
  bool jitless_ = false;
  bool print_policy_ = false;
};

}  // namespace cordon
