#include <nlohmann/json.hpp>

#include "capabilities/limit_fields.h"
#include "capabilities/policy_json.h"

namespace cordon {

namespace {

// Keeps the order in which fields are documented.
using json = nlohmann::ordered_json;

constexpr int kIndent = 2;

json sandbox_json(const SandboxProcessPolicy& policy) {
  using Mode = SandboxProcessPolicy::Mode;
  using SyscallMode = SandboxProcessPolicy::Syscalls::Mode;
  json resources = json::object();
  if (policy.resources.memory_bytes) resources["memoryBytes"] = *policy.resources.memory_bytes;
  if (policy.resources.pids) resources["pids"] = *policy.resources.pids;
  if (policy.resources.cpu) resources["cpu"] = *policy.resources.cpu;
  json sandbox = {
      {"mode", policy.mode == Mode::kStrict ? "strict" : "bestEffort"},
      {"resources", std::move(resources)},
      {"filesystem",
       {{"readonly", policy.filesystem.readonly}, {"writable", policy.filesystem.writable}}},
      {"network", {{"outbound", policy.network.outbound}, {"inbound", policy.network.inbound}}},
      {"process",
       {{"allowFork", policy.process.allow_fork},
        {"allowExec", policy.process.allow_exec},
        {"allowedBinaries", policy.process.allowed_binaries}}}};
  if (const auto& syscalls = policy.syscalls)
    sandbox["syscalls"] = {
        {"mode", syscalls->mode == SyscallMode::kAllowlist ? "allowlist" : "denylist"},
        {"names", syscalls->names}};
  return sandbox;
}

json subprocess_json(const SandboxSubprocessGrant& grant) {
  json subprocess;
  subprocess["commands"] = grant.commands;
  subprocess["environment"] = grant.environment;
  subprocess["timeoutMs"] = grant.timeout_ms;
  subprocess["sandbox"] = sandbox_json(grant.sandbox);
  return subprocess;
}

json resources_json(const SandboxResourceGrant& grant) {
  json resources = json::object();
  for (const LimitField& field : kLimitFields) resources[field.name] = grant.*field.member;
  if (grant.max_cpu_ms) resources["maxCpuMs"] = *grant.max_cpu_ms;
  return resources;
}

json secrets_json(const std::map<std::string, std::string>& secrets, SecretMask mask) {
  json values = json::object();
  for (const auto& [name, value] : secrets)
    values[name] = mask == SecretMask::kMasked ? std::string(kMaskedSecret) : value;
  return values;
}

}  // namespace

std::string options_to_json(const AISandboxOptions& options, SecretMask mask) {
  json policy = json::object();
  if (const auto& files = options.filesystem)
    policy["filesystem"] = {{"read", files->read}, {"write", files->write}};
  if (const auto& network = options.network)
    policy["network"] = {{"origins", network->origins},
                         {"methods", network->methods},
                         {"allowPrivateAddresses", network->allow_private_addresses}};
  if (options.subprocess) policy["subprocess"] = subprocess_json(*options.subprocess);
  policy["environment"] = options.environment;
  policy["secrets"] = secrets_json(options.secrets, mask);
  policy["modules"] = options.modules;
  policy["resources"] = resources_json(options.resources);
  policy["compilerOptions"] = {{"experimentalDecorators", options.experimental_decorators}};
  return policy.dump(kIndent, ' ', false, json::error_handler_t::replace);
}

}  // namespace cordon
