#include "cli/grant_flags.h"

#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/comma_list.h"

namespace cordon {
namespace {

using Texts = std::vector<std::string>;
using Names = std::map<std::string, std::string>;

UsageError flag_error(const std::string& flag, const std::string& problem) {
  return {flag, ": ", problem};
}

// The items of every use of a flag.
Result<Texts, UsageError> items_of(const std::string& flag, const Texts& uses) {
  Texts all;
  for (const std::string& use : uses) {
    auto items = split_comma_list(use);
    if (!items) return flag_error(flag, items.error().message);
    for (std::string& item : *items) all.push_back(std::move(item));
  }
  return all;
}

// A root may be named through links: what counts is where it leads.
std::string absolute_root(const std::string& path, const Surroundings& surroundings) {
  if (path.starts_with('/')) return path;
  std::error_code ignored;  // a root that does not exist is refused when the sandbox is made
  const auto joined = surroundings.working_directory / path;
  const auto canonical = std::filesystem::weakly_canonical(joined, ignored);
  return ignored ? joined.string() : canonical.string();
}

// A command is granted by its exact name, so only the directory is resolved.
std::string absolute_command(const std::string& path, const Surroundings& surroundings) {
  if (path.starts_with('/')) return path;
  const std::filesystem::path given(path);
  const std::string directory =
      given.has_parent_path() ? given.parent_path().string() : std::string(".");
  return (std::filesystem::path(absolute_root(directory, surroundings)) / given.filename())
      .string();
}

template <class Absolute>
Result<Texts, UsageError> paths_of(const std::string& flag, const Texts& uses,
                                   const Surroundings& surroundings, Absolute absolute) {
  auto paths = items_of(flag, uses);
  if (!paths) return paths.error();
  for (std::string& path : *paths) path = absolute(path, surroundings);
  return paths;
}

// "NAME=REST"; no value when there is no "=" or no name.
std::optional<std::pair<std::string, std::string>> split_name(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

void append(Texts& list, Texts more) {
  list.insert(list.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

using Filesystem = std::optional<SandboxFilesystemGrant>;

Result<Filesystem, UsageError> filesystem_grant(Filesystem base, const Texts& read,
                                                const Texts& write,
                                                const Surroundings& surroundings) {
  if (read.empty() && write.empty()) return base;
  auto read_roots = paths_of("--allow-read", read, surroundings, absolute_root);
  if (!read_roots) return read_roots.error();
  auto write_roots = paths_of("--allow-write", write, surroundings, absolute_root);
  if (!write_roots) return write_roots.error();
  if (!base) base.emplace();
  append(base->read, *std::move(read_roots));
  append(base->write, *std::move(write_roots));
  return base;
}

using Network = std::optional<SandboxNetworkGrant>;

Result<Network, UsageError> network_grant(Network base, const Texts& origins, const Texts& methods,
                                          std::optional<bool> allow_private_addresses) {
  if (!base && origins.empty()) {
    const char* const needs = "needs --allow-net=ORIGIN as well";
    if (!methods.empty()) return flag_error("--allow-methods", needs);
    if (allow_private_addresses) return flag_error("--allow-private-addresses", needs);
    return base;
  }
  auto origin_items = items_of("--allow-net", origins);
  if (!origin_items) return origin_items.error();
  auto method_items = items_of("--allow-methods", methods);
  if (!method_items) return method_items.error();
  if (!base) {
    base.emplace();
    if (!methods.empty()) base->methods.clear();  // GET is only a default
  }
  append(base->origins, *std::move(origin_items));
  append(base->methods, *std::move(method_items));
  base->allow_private_addresses = allow_private_addresses.value_or(base->allow_private_addresses);
  return base;
}

using Subprocess = std::optional<SandboxSubprocessGrant>;

Result<Subprocess, UsageError> subprocess_grant(Subprocess base, const Texts& commands,
                                                const Surroundings& surroundings) {
  if (commands.empty()) return base;
  auto paths = paths_of("--allow-run", commands, surroundings, absolute_command);
  if (!paths) return paths.error();
  if (!base) base.emplace();
  append(base->commands, *std::move(paths));
  return base;
}

// `base` with the flags' entries, which win.
Names overridden(Names base, Names flags) {
  flags.merge(base);
  return flags;
}

// A switch that may be left out, and turned off by "=false".
CLI::Option* add_switch(CLI::App& command, const char* flag, std::optional<bool>& value,
                        const char* help) {
  return command
      .add_flag_function(
          flag, [&value](std::int64_t count) { value = count > 0; }, help)
      ->check(CLI::IsMember({"true", "false"}));
}

}  // namespace

GrantFlags::GrantFlags(CLI::App& command) {
  const auto add = [&](const char* flag, Texts& uses, const char* type, const char* help) {
    // One value per use: what follows it is the next flag or FILE.
    command.add_option(flag, uses, help)->type_name(type)->allow_extra_args(false)->group("Grants");
  };
  add("--allow-read", allow_read_, "PATH,...", "Files and directories that readText may read");
  add("--allow-write", allow_write_, "PATH,...", "Files and directories that writeText may write");
  add("--allow-net", allow_net_, "ORIGIN,...",
      "Origins for fetchText, such as https://example.com");
  add("--allow-methods", allow_methods_, "METHOD,...", "HTTP methods for fetchText [GET]");
  add_switch(command, "--allow-private-addresses", allow_private_addresses_,
             "Let granted names resolve to private and loopback addresses")
      ->group("Grants");
  add("--allow-run", allow_run_, "PATH,...", "Commands that spawn may run, in a strict sandbox");
  add("--allow-env", allow_env_, "NAME[=VALUE],...",
      "Variables for environment(); without VALUE, the caller's");
  add("--secret", secrets_, "NAME=SOURCE",
      "A value for secret(), from env:VARIABLE, file:PATH or fd:NUMBER");
  add("--module", modules_, "SPECIFIER=FILE", "An ES module that the program may import");
  add_switch(command, "--experimental-decorators", experimental_decorators_,
             "Compile decorators the legacy way")
      ->group("Program");
}

Result<Names, UsageError> GrantFlags::environment(const Surroundings& surroundings) const {
  const auto items = items_of("--allow-env", allow_env_);
  if (!items) return items.error();
  Names environment;
  for (const std::string& item : *items) {
    if (const auto named = split_name(item)) {
      environment.insert_or_assign(named->first, named->second);
    } else if (item.starts_with('=')) {
      return flag_error("--allow-env", "expected NAME or NAME=VALUE");
    } else if (const auto value = surroundings.environment(item)) {
      environment.insert_or_assign(item, *value);
    } else {
      return flag_error("--allow-env=" + item,
                        "the variable is not set; give a value as --allow-env=" + item + "=VALUE");
    }
  }
  return environment;
}

Result<Names, UsageError> GrantFlags::secrets(const Surroundings& surroundings) const {
  Names secrets;
  for (const std::string& use : secrets_) {
    const auto named = split_name(use);
    if (!named) {
      return flag_error("--secret", "expected NAME=SOURCE, such as TOKEN=env:TOKEN");
    }
    auto value = read_secret(named->second, surroundings);
    if (!value) return flag_error("--secret=" + named->first, value.error().message);
    if (!secrets.emplace(named->first, *std::move(value)).second) {
      return flag_error("--secret=" + named->first, "given more than once");
    }
  }
  return secrets;
}

Result<Names, UsageError> GrantFlags::modules(const Surroundings& surroundings,
                                              TextLimit limit) const {
  Names modules;
  for (const std::string& use : modules_) {
    const auto named = split_name(use);
    if (!named || named->second.empty()) {
      return flag_error("--module", "expected SPECIFIER=FILE, such as lib=./lib.mjs");
    }
    auto source = read_text_file(surroundings.working_directory / named->second, limit);
    if (!source) {
      return flag_error("--module=" + named->first, named->second + ": " + source.error().message);
    }
    if (!modules.emplace(named->first, *std::move(source)).second) {
      return flag_error("--module=" + named->first, "given more than once");
    }
  }
  return modules;
}

Result<AISandboxOptions, UsageError> GrantFlags::options(const Surroundings& surroundings,
                                                         AISandboxOptions base) const {
  auto filesystem =
      filesystem_grant(std::move(base.filesystem), allow_read_, allow_write_, surroundings);
  if (!filesystem) return filesystem.error();
  base.filesystem = *std::move(filesystem);
  auto network =
      network_grant(std::move(base.network), allow_net_, allow_methods_, allow_private_addresses_);
  if (!network) return network.error();
  base.network = *std::move(network);
  auto subprocess = subprocess_grant(std::move(base.subprocess), allow_run_, surroundings);
  if (!subprocess) return subprocess.error();
  base.subprocess = *std::move(subprocess);
  auto variables = environment(surroundings);
  if (!variables) return variables.error();
  base.environment = overridden(std::move(base.environment), *std::move(variables));
  auto secret_values = secrets(surroundings);
  if (!secret_values) return secret_values.error();
  base.secrets = overridden(std::move(base.secrets), *std::move(secret_values));
  auto sources = modules(surroundings, {base.resources.max_source_bytes, "--max-source-bytes"});
  if (!sources) return sources.error();
  base.modules = overridden(std::move(base.modules), *std::move(sources));
  base.experimental_decorators = experimental_decorators_.value_or(base.experimental_decorators);
  return base;
}

}  // namespace cordon
