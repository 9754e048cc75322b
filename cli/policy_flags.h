#pragma once
// Everything on a command line that says what a program may do: --policy, the grants, the limits.
//
// The policy comes first, whatever the order on the command line. Flags add to its lists (roots,
// origins, methods, commands) and replace its values (limits, switches, and by name variables,
// secrets and modules).

#include <cordon/options.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "cli/grant_flags.h"
#include "cli/limit_flags.h"
#include "cli/secret_source.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Registers its flags with a command, which writes into this object while it parses.
class PolicyFlags {
 public:
  explicit PolicyFlags(CLI::App& command);
  PolicyFlags(const PolicyFlags&) = delete;
  PolicyFlags& operator=(const PolicyFlags&) = delete;

  // Reads the files, variables and descriptors that the flags and the policy name. The options are
  // valid.
  Result<AISandboxOptions, UsageError> options(const Surroundings& surroundings) const;

 private:
  std::optional<std::string> file_;
  GrantFlags grants_;
  LimitFlags limits_;
};

}  // namespace cordon
