#include "capabilities/authority.h"

#include <algorithm>

#include "capabilities/limit_fields.h"
#include "capabilities/network_policy.h"
#include "capabilities/option_checks.h"
#include "capabilities/shown_text.h"
#include "capabilities/tools/tool_set.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

constexpr std::size_t kMinSecretCharacters = 4;
constexpr std::string_view kReservedPrefix = "fino:";

NetworkAuthority validate_network(const SandboxNetworkGrant& grant) {
  NetworkAuthority network{
      .origins = {}, .methods = {}, .allow_private_addresses = grant.allow_private_addresses};
  for (std::size_t at = 0; at < grant.origins.size(); ++at) {
    auto origin = parse_origin(grant.origins[at]);
    if (!origin) throw InvalidOption(element("network.origins", at), origin.error().text);
    network.origins.push_back(std::move(*origin));
  }
  for (std::size_t at = 0; at < grant.methods.size(); ++at) {
    auto method = canonical_method(grant.methods[at]);
    if (!method)
      throw InvalidOption(element("network.methods", at),
                          "must be an HTTP method such as POST, and not CONNECT or TRACE");
    network.methods.push_back(std::move(*method));
  }
  return network;
}

// The guest receives these as text, and asks for them by text.
void require_text(const std::string& grant, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) {
    if (!is_valid_utf8(name) || !is_valid_utf8(value))
      throw InvalidOption(grant + "." + shown(name), "name and value must be valid UTF-8");
  }
}

void validate_secrets(const std::map<std::string, std::string>& secrets) {
  require_text("secrets", secrets);
  for (const auto& [name, value] : secrets) {
    if (count_characters(value) < kMinSecretCharacters)
      throw InvalidOption("secrets." + shown(name),
                          "must have at least 4 characters, or it could not be redacted");
  }
}

void validate_modules(const std::map<std::string, std::string>& modules) {
  require_text("modules", modules);
  for (const auto& [specifier, source] : modules) {
    const std::string field = "modules." + shown(specifier);
    if (specifier.empty()) throw InvalidOption(field, "the specifier must not be empty");
    if (specifier.starts_with(kReservedPrefix))
      throw InvalidOption(field, "specifiers beginning with fino: are reserved");
  }
}

void validate_resources(const SandboxResourceGrant& resources) {
  for (const LimitField& field : kLimitFields)
    require_limit(std::string("resources.") + field.name, resources.*field.member);
  if (resources.max_cpu_ms) require_limit("resources.maxCpuMs", *resources.max_cpu_ms);
}

// Beneath these the guest may know what exists, and links may be of its own making.
std::vector<std::string> known_paths(const std::vector<FileRoot>& read,
                                     const std::vector<FileRoot>& write,
                                     const std::optional<SubprocessAuthority>& subprocess) {
  std::vector<std::string> known = canonical_paths(read);
  const auto append = [&](const std::vector<std::string>& paths) {
    known.insert(known.end(), paths.begin(), paths.end());
  };
  append(canonical_paths(write));
  if (subprocess) append(subprocess->sandbox.filesystem.writable);
  return known;
}

}  // namespace

bool NetworkAuthority::grants_origin(const Origin& origin) const noexcept {
  return std::find(origins.begin(), origins.end(), origin) != origins.end();
}

bool NetworkAuthority::grants_method(std::string_view upper_case) const noexcept {
  return std::find(methods.begin(), methods.end(), upper_case) != methods.end();
}

Authority Authority::validate(const AISandboxOptions& options) {
  return validate(
      options, std::make_shared<const ToolSet>(ToolSet::validate(options.tools, options.modules)));
}

Authority Authority::validate(const AISandboxOptions& options,
                              std::shared_ptr<const ToolSet> tools) {
  Authority authority;
  authority.tools_ = tools ? std::move(tools) : std::make_shared<const ToolSet>();
  validate_resources(options.resources);
  require_text("environment", options.environment);
  validate_secrets(options.secrets);
  validate_modules(options.modules);
  if (options.network) authority.network_ = validate_network(*options.network);

  const SandboxFilesystemGrant files = options.filesystem.value_or(SandboxFilesystemGrant{});
  auto read = open_roots("filesystem.read", files.read);
  auto write = open_roots("filesystem.write", files.write);
  if (options.subprocess)
    authority.subprocess_ = validate_subprocess(*options.subprocess, canonical_paths(write));
  std::vector<std::string> known = known_paths(read, write, authority.subprocess_);
  authority.read_roots_ = FileRoots(std::move(read), known);
  authority.write_roots_ = FileRoots(std::move(write), std::move(known));

  authority.environment_ = options.environment;
  authority.secrets_ = options.secrets;
  authority.modules_ = options.modules;
  authority.resources_ = options.resources;
  authority.experimental_decorators_ = options.experimental_decorators;
  return authority;
}

}  // namespace cordon
