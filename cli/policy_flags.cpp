#include "cli/policy_flags.h"

#include <utility>

#include "capabilities/authority.h"
#include "cli/flag_names.h"
#include "cli/policy_file.h"

namespace cordon {

PolicyFlags::PolicyFlags(CLI::App& command) : grants_(command), limits_(command) {
  command
      .add_option("--policy", file_,
                  "Grants and limits as JSON; other flags add to it or override it")
      ->type_name("FILE")
      ->group("Grants");
}

Result<AISandboxOptions, UsageError> PolicyFlags::options(const Surroundings& surroundings) const {
  PolicyFile policy;
  if (file_) {
    auto read = read_policy_file(*file_, surroundings);
    if (!read) return read.error();
    policy = *std::move(read);
  }
  auto resources = limits_.resources(policy.options.resources);
  if (!resources) return resources.error();
  policy.options.resources = *resources;
  auto options = grants_.options(surroundings, std::move(policy.options));
  if (!options) return options.error();
  for (const std::string& name : policy.masked_secrets) {
    if (!options->secrets.contains(name)) return masked_secret_error(*file_, name);
  }
  try {
    Authority::validate(*options);
  } catch (const InvalidOption& error) {
    const UsageError problem = usage_error(error);
    if (!file_) return problem;
    return UsageError{problem.message, " (together with --policy=", *file_, ")"};
  }
  return options;
}

}  // namespace cordon
