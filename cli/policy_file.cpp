#include "cli/policy_file.h"

#include "capabilities/authority.h"
#include "capabilities/option_checks.h"
#include "capabilities/policy_json.h"
#include "capabilities/shown_text.h"
#include "cli/flag_names.h"
#include "cli/text_file.h"

namespace cordon {
namespace {

UsageError file_error(const std::string& file, std::string_view problem) {
  return {"--policy=", file, ": ", problem};
}

// A policy means the same wherever the command is started.
void require_absolute(const std::string& field, const std::vector<std::string>& paths) {
  for (std::size_t at = 0; at < paths.size(); ++at) {
    if (paths[at].starts_with('/')) continue;
    const std::string flag(flag_of_option(field));
    throw InvalidOption(element(field, at),
                        "must be an absolute path: a policy's paths are not resolved against the "
                        "working directory" +
                            (flag.empty() ? "" : ", those of " + flag + " are"));
  }
}

void require_absolute(const AISandboxOptions& options) {
  if (const auto& files = options.filesystem) {
    require_absolute("filesystem.read", files->read);
    require_absolute("filesystem.write", files->write);
  }
  if (const auto& subprocess = options.subprocess) {
    const std::string sandbox = "subprocess.sandbox.";
    require_absolute("subprocess.commands", subprocess->commands);
    require_absolute(sandbox + "filesystem.readonly", subprocess->sandbox.filesystem.readonly);
    require_absolute(sandbox + "filesystem.writable", subprocess->sandbox.filesystem.writable);
    require_absolute(sandbox + "process.allowedBinaries",
                     subprocess->sandbox.process.allowed_binaries);
  }
}

std::vector<std::string> take_masked(std::map<std::string, std::string>& secrets) {
  std::vector<std::string> names;
  std::erase_if(secrets, [&](const auto& secret) {
    if (secret.second != kMaskedSecret) return false;
    names.push_back(secret.first);
    return true;
  });
  return names;
}

}  // namespace

Result<PolicyFile, UsageError> read_policy_file(const std::string& file,
                                                const Surroundings& surroundings) {
  const auto text = read_text_file(surroundings.working_directory / file, {kMaxPolicyBytes});
  if (!text) return file_error(file, text.error().message);
  try {
    PolicyFile policy;
    policy.options = policy_from_json(*text);
    policy.masked_secrets = take_masked(policy.options.secrets);
    require_absolute(policy.options);
    Authority::validate(policy.options);
    return policy;
  } catch (const InvalidOption& error) {
    return file_error(file, error.what());
  }
}

UsageError masked_secret_error(const std::string& file, const std::string& name) {
  const std::string problem =
      "secrets." + shown(name) + ": is \"" + std::string(kMaskedSecret) +
      "\", which --print-policy writes for a secret's value: put {\"env\": NAME}, "
      "{\"file\": PATH} or {\"fd\": N} there, or give --secret=" +
      shown(name) + "=env:NAME as well";
  return file_error(file, problem);
}

}  // namespace cordon
