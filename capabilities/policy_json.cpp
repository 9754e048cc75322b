#include "capabilities/policy_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "capabilities/limit_fields.h"
#include "capabilities/option_checks.h"
#include "capabilities/secret_source.h"
#include "capabilities/shown_text.h"
#include "capabilities/strict_json.h"

namespace cordon {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 16;

// ---------------------------------------------------------------- text to JSON

std::string position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// Messages do not quote the text, which may hold secrets.
json parse(std::string_view text) {
  using Kind = StrictJsonError::Kind;
  if (text.size() > kMaxPolicyBytes)
    throw InvalidOption("policy",
                        "must not be longer than " + std::to_string(kMaxPolicyBytes) + " bytes");
  auto parsed = parse_strict_json(text, kMaxDepth);
  if (parsed) return *std::move(parsed);
  const StrictJsonError& error = parsed.error();
  switch (error.kind) {
    case Kind::kRepeatedKey:
      throw InvalidOption(shown(error.key), "is given twice");
    case Kind::kTooDeep:
      throw InvalidOption("policy", "is nested too deeply");
    case Kind::kNumber:
      throw InvalidOption("policy", "holds a number that is out of range");
    case Kind::kSyntax:
      break;
  }
  throw InvalidOption("policy", "is not valid JSON at " + position(text, error.byte));
}

// ---------------------------------------------------------------- one value

std::string kind(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return "an array";
    case json::value_t::string:
      return "a string";
    case json::value_t::boolean:
      return "a boolean";
    case json::value_t::number_unsigned:
    case json::value_t::number_integer:
    case json::value_t::number_float:
      return "the number " + value.dump();
    default:
      return "something else";
  }
}

[[noreturn]] void wrong_kind(const std::string& field, const std::string& wanted,
                             const json& value) {
  throw InvalidOption(field, "must be " + wanted + ", not " + kind(value));
}

const json& require(const std::string& field, bool right, const char* wanted, const json& value) {
  if (!right) wrong_kind(field, wanted, value);
  return value;
}

std::string text_of(const std::string& field, const json& value) {
  return require(field, value.is_string(), "a string", value).get<std::string>();
}

bool boolean_of(const std::string& field, const json& value) {
  return require(field, value.is_boolean(), "true or false", value).get<bool>();
}

std::uint64_t whole_number_of(const std::string& field, const json& value, std::uint64_t least,
                              std::uint64_t most) {
  const std::string wanted =
      "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  std::uint64_t number = 0;
  if (value.is_number_unsigned()) {
    number = value.get<std::uint64_t>();
  } else if (value.is_number_float()) {
    // "1e3" is a whole number, too.
    const double real = value.get<double>();
    if (!(real >= 0 && real <= static_cast<double>(kMaxLimit)) || std::trunc(real) != real)
      wrong_kind(field, wanted, value);
    number = static_cast<std::uint64_t>(real);
  } else {
    wrong_kind(field, wanted, value);
  }
  if (number < least || number > most) wrong_kind(field, wanted, value);
  return number;
}

std::uint64_t limit_of(const std::string& field, const json& value) {
  return whole_number_of(field, value, 1, kMaxLimit);
}

std::vector<std::string> texts_of(const std::string& field, const json& value) {
  require(field, value.is_array(), "an array of strings", value);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < value.size(); ++at)
    texts.push_back(text_of(element(field, at), value[at]));
  return texts;
}

std::map<std::string, std::string> text_map_of(const std::string& field, const json& value) {
  require(field, value.is_object(), "an object of strings", value);
  std::map<std::string, std::string> texts;
  for (const auto& [name, text] : value.items())
    texts.emplace(name, text_of(field + "." + shown(name), text));
  return texts;
}

template <class Enum>
Enum choice_of(const std::string& field, const json& value,
               const std::vector<std::pair<std::string, Enum>>& choices) {
  std::string wanted;
  for (const auto& [name, choice] : choices) {
    if (value.is_string() && value.get_ref<const std::string&>() == name) return choice;
    wanted += (wanted.empty() ? "\"" : " or \"") + name + "\"";
  }
  if (value.is_string()) throw InvalidOption(field, "must be " + wanted);
  wrong_kind(field, wanted, value);
}

// ---------------------------------------------------------------- one object

// The fields of one JSON object, each handed to the reader that knows it.
class Fields {
 public:
  // `path`: the object's own, empty at the top.
  Fields(std::string path, const json& object) : path_(std::move(path)), object_(object) {
    require(path_.empty() ? "policy" : path_, object.is_object(), "an object", object);
  }

  // Calls `reader(field path, value)` if there is such a field.
  template <class Reader>
  Fields& on(const std::string& name, Reader reader) {
    known_.insert(name);
    if (const auto found = object_.find(name); found != object_.end())
      reader(path_of(name), *found);
    return *this;
  }

  // To be called last: refuses fields that no reader knows.
  void done() const {
    for (const auto& [name, value] : object_.items()) {
      if (known_.count(name) != 0) continue;
      std::string names;
      for (const std::string& known : known_) names += (names.empty() ? "" : ", ") + known;
      throw InvalidOption(path_of(shown(name)), "is not a known field; known are " + names);
    }
  }

 private:
  std::string path_of(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }

  std::string path_;
  const json& object_;
  std::set<std::string> known_;
};

// A reader that assigns what `parse_value` makes of the value.
template <class Target, class Parse>
auto into(Target& target, Parse parse_value) {
  return [&target, parse_value](const std::string& field, const json& value) {
    target = parse_value(field, value);
  };
}

// ---------------------------------------------------------------- grants

SandboxFilesystemGrant filesystem_of(const std::string& field, const json& value) {
  SandboxFilesystemGrant grant;
  Fields(field, value)
      .on("read", into(grant.read, texts_of))
      .on("write", into(grant.write, texts_of))
      .done();
  return grant;
}

SandboxNetworkGrant network_of(const std::string& field, const json& value) {
  SandboxNetworkGrant grant;
  Fields(field, value)
      .on("origins", into(grant.origins, texts_of))
      .on("methods", into(grant.methods, texts_of))
      .on("allowPrivateAddresses", into(grant.allow_private_addresses, boolean_of))
      .done();
  return grant;
}

SandboxProcessPolicy::Resources process_resources_of(const std::string& field, const json& value) {
  SandboxProcessPolicy::Resources resources;
  const auto cpus = [](const std::string& path, const json& number) {
    require(path, number.is_number() && number.get<double>() >= kMinCommandCpus, kCommandCpus,
            number);
    return number.get<double>();
  };
  const auto memory = [](const std::string& path, const json& number) {
    return whole_number_of(path, number, kMinCommandMemory, kMaxLimit);
  };
  const auto processes = [](const std::string& path, const json& number) {
    return whole_number_of(path, number, 1, kMaxCommandProcesses);
  };
  Fields(field, value)
      .on("memoryBytes", into(resources.memory_bytes, memory))
      .on("pids", into(resources.pids, processes))
      .on("cpu", into(resources.cpu, cpus))
      .done();
  return resources;
}

SandboxProcessPolicy::Syscalls syscalls_of(const std::string& field, const json& value) {
  using Mode = SandboxProcessPolicy::Syscalls::Mode;
  SandboxProcessPolicy::Syscalls syscalls;
  bool has_mode = false;
  Fields(field, value)
      .on("mode",
          [&](const std::string& path, const json& mode) {
            syscalls.mode = choice_of<Mode>(
                path, mode, {{"allowlist", Mode::kAllowlist}, {"denylist", Mode::kDenylist}});
            has_mode = true;
          })
      .on("names", into(syscalls.names, texts_of))
      .done();
  if (!has_mode) throw InvalidOption(field + ".mode", "must be \"allowlist\" or \"denylist\"");
  return syscalls;
}

SandboxProcessPolicy sandbox_of(const std::string& field, const json& value) {
  using Mode = SandboxProcessPolicy::Mode;
  SandboxProcessPolicy policy;
  const auto mode_of = [](const std::string& path, const json& mode) {
    return choice_of<Mode>(path, mode,
                           {{"strict", Mode::kStrict}, {"bestEffort", Mode::kBestEffort}});
  };
  Fields(field, value)
      .on("mode", into(policy.mode, mode_of))
      .on("resources", into(policy.resources, process_resources_of))
      .on("filesystem",
          [&](const std::string& path, const json& files) {
            Fields(path, files)
                .on("readonly", into(policy.filesystem.readonly, texts_of))
                .on("writable", into(policy.filesystem.writable, texts_of))
                .done();
          })
      .on("network",
          [&](const std::string& path, const json& network) {
            Fields(path, network)
                .on("outbound", into(policy.network.outbound, boolean_of))
                .on("inbound", into(policy.network.inbound, boolean_of))
                .done();
          })
      .on("process",
          [&](const std::string& path, const json& process) {
            Fields(path, process)
                .on("allowFork", into(policy.process.allow_fork, boolean_of))
                .on("allowExec", into(policy.process.allow_exec, boolean_of))
                .on("allowedBinaries", into(policy.process.allowed_binaries, texts_of))
                .done();
          })
      .on("syscalls", into(policy.syscalls, syscalls_of))
      .done();
  return policy;
}

SandboxSubprocessGrant subprocess_of(const std::string& field, const json& value) {
  SandboxSubprocessGrant grant;
  Fields(field, value)
      .on("commands", into(grant.commands, texts_of))
      .on("environment", into(grant.environment, text_map_of))
      .on("timeoutMs", into(grant.timeout_ms, limit_of))
      .on("sandbox", into(grant.sandbox, sandbox_of))
      .done();
  return grant;
}

SandboxResourceGrant resources_of(const std::string& field, const json& value) {
  SandboxResourceGrant grant;
  Fields fields(field, value);
  for (const LimitField& limit : kLimitFields)
    fields.on(limit.name, into(grant.*limit.member, limit_of));
  fields.on("maxCpuMs", into(grant.max_cpu_ms, limit_of)).done();
  return grant;
}

std::string secret_of(const std::string& field, const json& value) {
  if (value.is_string()) return value.get<std::string>();
  // Whatever else it is may be the secret itself, a number without quotes say: not repeated.
  if (!value.is_object() || value.size() != 1)
    throw InvalidOption(field,
                        "must be a string, {\"env\": NAME}, {\"file\": PATH} or {\"fd\": N}");
  std::string secret;
  Fields(field, value)
      .on("env",
          [&](const std::string& path, const json& name) {
            secret = secret_from_environment(path, text_of(path, name));
          })
      .on("file", [&](const std::string& path,
                      const json& file) { secret = secret_from_file(path, text_of(path, file)); })
      .on("fd",
          [&](const std::string& path, const json& number) {
            constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
            secret = secret_from_descriptor(
                path, static_cast<int>(whole_number_of(path, number, 0, kMost)));
          })
      .done();
  return secret;
}

std::map<std::string, std::string> secrets_of(const std::string& field, const json& value) {
  require(field, value.is_object(), "an object", value);
  std::map<std::string, std::string> secrets;
  for (const auto& [name, source] : value.items())
    secrets.emplace(name, secret_of(field + "." + shown(name), source));
  return secrets;
}

bool experimental_decorators_of(const std::string& field, const json& value) {
  bool wanted = false;
  Fields(field, value).on("experimentalDecorators", into(wanted, boolean_of)).done();
  return wanted;
}

}  // namespace

AISandboxOptions policy_from_json(std::string_view text) {
  const json policy = parse(text);
  AISandboxOptions options;
  Fields("", policy)
      .on("filesystem", into(options.filesystem, filesystem_of))
      .on("network", into(options.network, network_of))
      .on("subprocess", into(options.subprocess, subprocess_of))
      .on("environment", into(options.environment, text_map_of))
      .on("secrets", into(options.secrets, secrets_of))
      .on("modules", into(options.modules, text_map_of))
      .on("resources", into(options.resources, resources_of))
      .on("compilerOptions", into(options.experimental_decorators, experimental_decorators_of))
      .done();
  return options;
}

}  // namespace cordon
