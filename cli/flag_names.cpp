#include "cli/flag_names.h"

namespace cordon {
namespace {

struct FlagName {
  std::string_view option;
  std::string_view flag;
  std::string_view capability;  // whose refusals it changes; empty when none
};

constexpr FlagName kFlagNames[] = {
    {"filesystem.read", "--allow-read", "filesystem.read"},
    {"filesystem.write", "--allow-write", "filesystem.write"},
    {"network.origins", "--allow-net", "network"},
    {"network.methods", "--allow-methods", "network"},
    {"network.allowPrivateAddresses", "--allow-private-addresses", "network"},
    {"subprocess.commands", "--allow-run", "subprocess"},
    {"environment", "--allow-env", "environment"},
    {"secrets", "--secret", "secret"},
    {"modules", "--module", ""},
    {"resources.maxOperations", "--max-ops", "resource.operations"},
    {"resources.maxReadBytes", "--max-read-bytes", "resource.bytes"},
    {"resources.maxWriteBytes", "--max-write-bytes", "resource.bytes"},
    {"resources.maxNetworkBytes", "--max-network-bytes", "resource.bytes"},
    {"resources.maxProcessOutputBytes", "--max-output-bytes", "resource.bytes"},
    {"resources.wallClockMs", "--timeout", "resource.wallClock"},
    {"resources.maxMemoryBytes", "--memory", "resource.memory"},
    {"resources.maxCpuMs", "--cpu-time", "resource.cpu"},
    {"resources.maxConsoleBytes", "--max-console-bytes", ""},
    {"resources.maxResultBytes", "--max-result-bytes", "resource.result"},
    {"resources.maxSourceBytes", "--max-source-bytes", ""},
    {"resources.maxConcurrentOperations", "--max-concurrent-ops", ""},
    {"compilerOptions.experimentalDecorators", "--experimental-decorators", ""},
};

// "maxReadBytes" of "resources.maxReadBytes".
std::string_view leaf(std::string_view option) { return option.substr(option.rfind('.') + 1); }

bool is_at_or_beneath(std::string_view field, std::string_view option) {
  if (!field.starts_with(option)) return false;
  return field.size() == option.size() || field[option.size()] == '.' ||
         field[option.size()] == '[';
}

}  // namespace

std::string_view flag_of_option(std::string_view field) {
  for (const FlagName& name : kFlagNames) {
    if (is_at_or_beneath(field, name.option)) return name.flag;
  }
  return {};
}

UsageError usage_error(const InvalidOption& error) {
  const std::string_view flag = flag_of_option(error.field());
  if (flag.empty()) return {error.what()};
  return {flag, ": ", error.what()};
}

std::string flags_of_denial(const OutcomeDenial& denial) {
  std::string all;
  for (const FlagName& name : kFlagNames) {
    if (name.capability.empty() || name.capability != denial.capability) continue;
    // Where several flags bear on one capability, the host's message names the option meant.
    if (denial.message.find(leaf(name.option)) != std::string::npos) return std::string(name.flag);
    if (!all.empty()) all += " or ";
    all += name.flag;
  }
  return all;
}

}  // namespace cordon
