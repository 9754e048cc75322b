#include "cli/batch/job_options.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "capabilities/limit_fields.h"
#include "capabilities/policy_json.h"
#include "capabilities/shown_text.h"

namespace cordon::batch {
namespace {

using nlohmann::json;
using Problem = std::optional<OptionProblem>;
using Texts = std::vector<std::string>;

OptionProblem wider(const std::string& field, const std::string& what) {
  return OptionProblem("options." + field + ": " + what + " is more than the command grants");
}

bool is_beneath(const std::string& path, const std::string& root) {
  const std::filesystem::path within(path);
  const std::filesystem::path base(root);
  return std::mismatch(base.begin(), base.end(), within.begin(), within.end()).first == base.end();
}

// Where each path leads, links followed: that is what a root means. A path that leads nowhere
// stays, to be refused as a root.
void resolve(Texts& paths) {
  for (std::string& path : paths) {
    std::error_code error;
    const auto canonical = std::filesystem::canonical(path, error);
    if (!error) path = canonical.string();
  }
}

template <class Within>
Problem check_each(const std::string& field, const Texts& wanted, const Texts& granted,
                   Within within) {
  for (const std::string& each : wanted) {
    const bool ok =
        std::ranges::any_of(granted, [&](const std::string& grant) { return within(each, grant); });
    if (!ok) return wider(field, shown(each));
  }
  return std::nullopt;
}

bool is_same(const std::string& wanted, const std::string& granted) { return wanted == granted; }

Problem check_variables(const std::string& field, const std::map<std::string, std::string>& wanted,
                        const std::map<std::string, std::string>& granted) {
  for (const auto& [name, value] : wanted) {
    const auto found = granted.find(name);
    if (found == granted.end() || found->second != value) return wider(field, shown(name));
  }
  return std::nullopt;
}

Problem check_filesystem(AISandboxOptions& job, const AISandboxOptions& command) {
  if (!job.filesystem) return std::nullopt;
  SandboxFilesystemGrant granted = command.filesystem.value_or(SandboxFilesystemGrant{});
  for (Texts* paths :
       {&granted.read, &granted.write, &job.filesystem->read, &job.filesystem->write}) {
    resolve(*paths);
  }
  auto problem = check_each("filesystem.read", job.filesystem->read, granted.read, is_beneath);
  if (problem) return problem;
  return check_each("filesystem.write", job.filesystem->write, granted.write, is_beneath);
}

Problem check_network(const AISandboxOptions& job, const AISandboxOptions& command) {
  if (!job.network) return std::nullopt;
  if (!command.network) return wider("network", "a network grant");
  const auto& wanted = *job.network;
  const auto& granted = *command.network;
  if (auto problem = check_each("network.origins", wanted.origins, granted.origins, is_same)) {
    return problem;
  }
  if (auto problem = check_each("network.methods", wanted.methods, granted.methods, is_same)) {
    return problem;
  }
  if (wanted.allow_private_addresses && !granted.allow_private_addresses) {
    return wider("network.allowPrivateAddresses", "true");
  }
  return std::nullopt;
}

Problem check_resources(const SandboxResourceGrant& job, const SandboxResourceGrant& command) {
  for (const LimitField& field : kLimitFields) {
    if (job.*field.member <= command.*field.member) continue;
    return OptionProblem("options.resources." + std::string(field.name) + ": " +
                         std::to_string(job.*field.member) + " is more than the command's " +
                         std::to_string(command.*field.member));
  }
  if (command.max_cpu_ms && job.max_cpu_ms.value_or(~std::uint64_t{0}) > *command.max_cpu_ms) {
    return wider("resources.maxCpuMs", std::to_string(job.max_cpu_ms.value_or(0)));
  }
  return std::nullopt;
}

Problem check(AISandboxOptions& job, const AISandboxOptions& command) {
  if (auto problem = check_filesystem(job, command)) return problem;
  if (auto problem = check_network(job, command)) return problem;
  if (auto problem = check_variables("environment", job.environment, command.environment)) {
    return problem;
  }
  return check_resources(job.resources, command.resources);
}

}  // namespace

JobGrants::JobGrants(AISandboxOptions command) : command_(std::move(command)) {
  AISandboxOptions plain = command_;
  plain.modules.clear();
  plain.secrets.clear();
  policy_ = json::parse(options_to_json(plain, SecretMask::kMasked));
}

Result<AISandboxOptions, OptionProblem> JobGrants::narrowed(const json& options) const {
  if (!options.is_object()) return OptionProblem("options: must be an object");
  json policy = policy_;
  for (const auto& [name, value] : options.items()) {
    // What runs a command, what a secret is and what a module says is the command's alone.
    if (name == "modules" || name == "secrets" || name == "subprocess") {
      return OptionProblem("options." + name + ": a job cannot change the command's " + name);
    }
    if (name == "resources" && value.is_object()) {
      policy[name].update(value);
    } else {
      policy[name] = value;
    }
  }
  try {
    AISandboxOptions narrow = policy_from_json(policy.dump());
    if (auto problem = check(narrow, command_)) return *std::move(problem);
    narrow.modules = command_.modules;
    narrow.secrets = command_.secrets;
    return narrow;
  } catch (const InvalidOption& error) {
    return OptionProblem(std::string("options.") + error.what());
  }
}

}  // namespace cordon::batch
