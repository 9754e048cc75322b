#pragma once
// From a call's grant and what this host can do, to everything that its commands are launched with.
// In strict mode a limit that was asked for and cannot be enforced as asked is a failure, before
// anything runs.

#include <cordon/subprocess_report.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "capabilities/authority.h"
#include "capabilities/process/command_view.h"
#include "capabilities/process/control_group.h"
#include "capabilities/process/sandbox_failure.h"
#include "capabilities/process/syscall_filter.h"
#include "capabilities/subprocess_policy.h"
#include "messages/launch.capnp.h"
#include "messages/payload.h"

namespace cordon {

using LaunchRequest = Message<wire::Launch>;

// What this host has to offer; the same for all calls.
struct CommandHost {
  std::filesystem::path bubblewrap;  // executable
  std::filesystem::path launcher;    // cordon-launch
  // Root with the capabilities to build a view and to become another user: no user namespace is
  // needed, and commands run as nobody's user id.
  bool privileged = false;
  // RLIMIT_NPROC counts within a user namespace (since Linux 5.14), not over the whole host.
  bool counts_by_namespace = false;
  ControlGroups control_groups;
};

bool is_privileged();
bool counts_processes_by_namespace();

struct CommandLimit {
  int resource;
  std::uint64_t value;
};

struct CommandSandbox {
  CommandView view;
  std::vector<FilterProgram> filters;
  TreeLimits tree;
  std::vector<CommandLimit> limits;
  std::uint64_t scratch_bytes = 0;
  SubprocessReport report;  // what is known before a command is started
};

// Looks at the file system; may block. `authority` has a subprocess grant.
Result<CommandSandbox, SandboxFailure> plan_sandbox(const Authority& authority,
                                                    const CommandHost& host);

// For bubblewrap, to be passed by descriptor. The loaders are read from descriptors `first_loader`
// and on, in their order.
std::vector<std::string> bubblewrap_arguments(const CommandSandbox& sandbox,
                                              const SandboxProcessPolicy& policy,
                                              const CommandHost& host, int first_loader);

// For the launcher. Holds the command's environment and arguments. `group`: what it will join.
LaunchRequest launch_request(const CommandSandbox& sandbox, const SubprocessAuthority& subprocess,
                             const CheckedCommand& command, const CommandHost& host,
                             const ControlGroup& group);

}  // namespace cordon
