#include "capabilities/subprocess_authority.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "capabilities/option_checks.h"
#include "capabilities/process/program_file.h"
#include "capabilities/process/syscall_filter.h"
#include "capabilities/shown_text.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

constexpr std::array kLibraryDirectories = {"/usr/lib", "/usr/lib64", "/lib", "/lib64",
                                            "/usr/local/lib"};

// `path` with the links of its directory resolved, but not its last one.
std::string located_name(const std::string& field, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string directory =
      open_root(field, path.substr(0, std::max<std::size_t>(slash, 1))).canonical();
  return (directory == "/" ? "" : directory) + path.substr(slash);
}

GrantedCommand validate_command(const std::string& field, const std::string& path,
                                const std::vector<std::string>& changeable) {
  const FileRoot file = open_root(field, path);
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    throw InvalidOption(field, "must be a regular file");
  if (::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) != 0)
    throw InvalidOption(field, "must be executable by this user");
  const std::string name = located_name(field, path);
  for (const std::string& root : changeable) {
    if (is_at_or_beneath(name, root) || is_at_or_beneath(file.canonical(), root))
      throw InvalidOption(field, "must not lie beneath a path that can be written");
  }
  return {.path = path, .canonical = file.canonical()};
}

std::vector<GrantedCommand> validate_commands(const std::string& field,
                                              const std::vector<std::string>& paths,
                                              const std::vector<std::string>& changeable) {
  std::vector<GrantedCommand> commands;
  for (std::size_t at = 0; at < paths.size(); ++at)
    commands.push_back(validate_command(element(field, at), paths[at], changeable));
  return commands;
}

// A script is run by its interpreter: who can change that one changes what the command does.
void refuse_changeable_interpreters(const std::string& field,
                                    const std::vector<GrantedCommand>& commands,
                                    const std::map<std::string, std::string>& environment,
                                    const std::vector<std::string>& changeable) {
  for (std::size_t at = 0; at < commands.size(); ++at) {
    const ProgramFiles files = files_of_program(commands[at].canonical, environment);
    std::vector<std::string> used = files.programs;
    for (const std::string& name : files.interpreters)
      used.push_back(located_name(element(field, at), name));
    for (const std::string& file : used) {
      for (const std::string& root : changeable) {
        if (is_at_or_beneath(file, root))
          throw InvalidOption(element(field, at), "is run by " + shown(file) +
                                                      ", which must not lie beneath a path that "
                                                      "can be written");
      }
    }
  }
}

void validate_environment(const std::map<std::string, std::string>& environment) {
  for (const auto& [name, value] : environment) {
    const std::string field = "subprocess.environment." + shown(name);
    if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
      throw InvalidOption(field, "the name must not be empty and not hold = or NUL");
    if (value.find('\0') != std::string::npos)
      throw InvalidOption(field, "the value must not hold NUL");
    if (!is_valid_utf8(name) || !is_valid_utf8(value))
      throw InvalidOption(field, "name and value must be valid UTF-8");
  }
}

void validate_syscalls(const SandboxProcessPolicy::Syscalls& syscalls) {
  for (std::size_t at = 0; at < syscalls.names.size(); ++at) {
    const std::string& name = syscalls.names[at];
    const std::string field = element("subprocess.sandbox.syscalls.names", at);
    if (!is_known_syscall(name))
      throw InvalidOption(field, "must be the name of a system call, such as openat");
    if (syscalls.mode == SandboxProcessPolicy::Syscalls::Mode::kDenylist && starts_commands(name))
      throw InvalidOption(field,
                          "cannot be denied: no command could be run; to keep commands from "
                          "executing others, use process.allowExec");
  }
}

void validate_sandbox(const SandboxProcessPolicy& sandbox) {
  const std::string field = "subprocess.sandbox.";
  if (const auto& memory = sandbox.resources.memory_bytes)
    require_limit(field + "resources.memoryBytes", *memory, kMinCommandMemory);
  if (const auto& pids = sandbox.resources.pids)
    require_limit(field + "resources.pids", *pids, 1, kMaxCommandProcesses);
  if (const auto& cpu = sandbox.resources.cpu;
      cpu && !(std::isfinite(*cpu) && *cpu >= kMinCommandCpus))
    throw InvalidOption(field + "resources.cpu", std::string("must be ") + kCommandCpus);
  if (sandbox.syscalls) validate_syscalls(*sandbox.syscalls);
}

// Commands load code from these: what one could change there, the next would run.
void refuse_libraries(const std::vector<std::string>& writable) {
  for (std::size_t at = 0; at < writable.size(); ++at) {
    for (const char* const library : kLibraryDirectories) {
      if (is_at_or_beneath(library, writable[at]) || is_at_or_beneath(writable[at], library))
        throw InvalidOption(element("subprocess.sandbox.filesystem.writable", at),
                            std::string("must not hold ") + library +
                                " or lie beneath it: commands load libraries from there");
    }
  }
}

}  // namespace

const GrantedCommand* SubprocessAuthority::find(std::string_view path) const noexcept {
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const auto& command) { return command.path == path; });
  return found == commands.end() ? nullptr : &*found;
}

SubprocessAuthority validate_subprocess(const SandboxSubprocessGrant& grant,
                                        std::vector<std::string> changeable) {
  const std::string sandbox = "subprocess.sandbox.";
  require_limit("subprocess.timeoutMs", grant.timeout_ms);
  validate_environment(grant.environment);
  validate_sandbox(grant.sandbox);
  SubprocessAuthority authority{.commands = {},
                                .allowed_binaries = {},
                                .environment = grant.environment,
                                .timeout_ms = grant.timeout_ms,
                                .sandbox = grant.sandbox};
  auto& filesystem = authority.sandbox.filesystem;
  filesystem.readonly =
      canonical_paths(open_roots(sandbox + "filesystem.readonly", filesystem.readonly));
  filesystem.writable =
      canonical_paths(open_roots(sandbox + "filesystem.writable", filesystem.writable));
  refuse_libraries(filesystem.writable);
  changeable.insert(changeable.end(), filesystem.writable.begin(), filesystem.writable.end());
  authority.commands = validate_commands("subprocess.commands", grant.commands, changeable);
  authority.allowed_binaries = validate_commands(
      sandbox + "process.allowedBinaries", grant.sandbox.process.allowed_binaries, changeable);
  refuse_changeable_interpreters("subprocess.commands", authority.commands, grant.environment,
                                 changeable);
  refuse_changeable_interpreters(sandbox + "process.allowedBinaries", authority.allowed_binaries,
                                 grant.environment, changeable);
  return authority;
}

}  // namespace cordon
