#pragma once
// One flag per limit of a run.

#include <cordon/options.h>
#include <CLI/CLI.hpp>

#include <array>
#include <optional>
#include <string>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Registers its flags with a command, which writes into this object while it parses.
class LimitFlags {
 public:
  explicit LimitFlags(CLI::App& command);
  LimitFlags(const LimitFlags&) = delete;
  LimitFlags& operator=(const LimitFlags&) = delete;

  // `base` where no flag was given.
  Result<SandboxResourceGrant, UsageError> resources(SandboxResourceGrant base = {}) const;

 private:
  static constexpr std::size_t kCount = 12;
  std::array<std::optional<std::string>, kCount> values_;  // as typed, in the order of the table
};

}  // namespace cordon
