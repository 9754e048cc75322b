#include <cordon/policy_digest.h>

#include <map>

#include "audit/sha256.h"
#include "capabilities/policy_json.h"

namespace cordon {

namespace {

void remove_values(std::map<std::string, std::string>& variables) {
  for (auto& [name, value] : variables) value.clear();
}

}  // namespace

std::string policy_digest(const AISandboxOptions& options) {
  AISandboxOptions shown = options;
  remove_values(shown.environment);
  if (shown.subprocess) remove_values(shown.subprocess->environment);
  std::string policy = options_to_json(shown, SecretMask::kMasked);
  for (const ToolModule& module : options.tools)
    for (const Tool& tool : module.tools)
      policy += "\n" + module.specifier + "#" + tool.name + " " + tool.parameters;
  return "sha256:" + sha256_hex(policy);
}

}  // namespace cordon
