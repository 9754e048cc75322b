#pragma once
// A job's own `options`: the fields of a policy, each no wider than what the command grants.

#include <cordon/options.h>

#include <nlohmann/json.hpp>
#include <string>

#include "messages/result.h"

namespace cordon::batch {

// Why a job may not have the options that it asks for. Names the field.
struct OptionProblem {
  std::string message;
  OptionProblem() = default;
  explicit OptionProblem(std::string text) : message(std::move(text)) {}
};

// What the command grants to every job. Immutable.
class JobGrants {
 public:
  explicit JobGrants(AISandboxOptions command);

  const AISandboxOptions& command() const noexcept { return command_; }

  // The command's options, narrowed by a job's. A section that the job leaves out is the command's,
  // as is a field of `resources`; `modules` and `secrets` cannot be named at all.
  Result<AISandboxOptions, OptionProblem> narrowed(const nlohmann::json& options) const;

 private:
  AISandboxOptions command_;
  nlohmann::json policy_;  // of the command, without modules and secrets
};

}  // namespace cordon::batch
