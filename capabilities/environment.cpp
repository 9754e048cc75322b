#include "capabilities/environment.h"

#include "capabilities/shown_text.h"

namespace cordon {

OperationResult<std::string> environment(const Authority& authority, std::string_view name) {
  const auto& granted = authority.environment();
  if (const auto found = granted.find(std::string(name)); found != granted.end())
    return found->second;
  const std::string text = shown(name);
  return Refusal{.capability = "environment",
                 .message = "Environment variable " + text +
                            " is not granted: add it to `environment` (--allow-env=" + text + ")",
                 .reason = "name is not in environment"};
}

OperationResult<std::string> secret(const Authority& authority, std::string_view name) {
  const auto& granted = authority.secrets();
  if (const auto found = granted.find(std::string(name)); found != granted.end())
    return found->second;
  const std::string text = shown(name);
  return Refusal{.capability = "secret",
                 .message = "Secret " + text + " is not granted: add it to `secrets` (--secret=" +
                            text + "=env:VARIABLE)",
                 .reason = "name is not in secrets"};
}

}  // namespace cordon
