#include "capabilities/process/command_sandbox.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>

#include "capabilities/shortage.h"
#include "messages/build_id.h"
#include "messages/launch_descriptors.h"

namespace cordon {

namespace {

using Controller = ControlGroups::Controller;

constexpr std::uint64_t kDefaultMemory = std::uint64_t{512} << 20;
constexpr std::uint64_t kDefaultProcesses = 64;
constexpr std::uint64_t kMaxScratch = std::uint64_t{256} << 20;

// Decides about each wall that not every host can build.
class Limits {
 public:
  Limits(const SandboxProcessPolicy& policy, const CommandHost& host, CommandSandbox& sandbox)
      : policy_(policy), host_(host), sandbox_(sandbox) {}

  std::optional<SandboxFailure> decide() {
    decide_memory();
    decide_processes();
    decide_cpus();
    return std::move(failure_);
  }

 private:
  void stands(const char* name, const std::string& mechanism) {
    sandbox_.report.walls.push_back({name, mechanism});
  }

  // A limit that was asked for cannot be enforced as asked.
  void lacks(const char* name, const std::string& why) {
    if (policy_.mode == SandboxProcessPolicy::Mode::kStrict) {
      if (!failure_) failure_ = SandboxFailure{name, why};
      return;
    }
    sandbox_.report.missing.push_back({name, why});
  }

  void decide_memory() {
    const std::uint64_t bytes = policy_.resources.memory_bytes.value_or(kDefaultMemory);
    const std::string amount = std::to_string(bytes) + " bytes";
    sandbox_.scratch_bytes = std::min(bytes, kMaxScratch);
    if (const auto group = host_.control_groups.mechanism(Controller::kMemory)) {
      sandbox_.tree.memory_bytes = bytes;
      return stands("memory", *group + ": " + amount + " over the process tree");
    }
    sandbox_.limits.push_back({RLIMIT_DATA, bytes});
    stands("memory", "RLIMIT_DATA: " + amount + " of private memory for each process");
    if (policy_.resources.memory_bytes) {
      lacks("memory over the process tree",
            "no memory control group can be made here: run as root on cgroup v1, or with a "
            "delegated cgroup v2 (systemd-run --user -p Delegate=yes), or leave out "
            "subprocess.sandbox.resources.memoryBytes");
    }
  }

  void decide_processes() {
    const std::uint64_t count = policy_.resources.pids.value_or(kDefaultProcesses);
    const std::string amount = std::to_string(count) + " processes";
    if (const auto group = host_.control_groups.mechanism(Controller::kPids)) {
      sandbox_.tree.processes = count;
      return stands("processes", *group + ": " + amount + " over the process tree");
    }
    // One more: the sandbox's first process.
    sandbox_.limits.push_back({RLIMIT_NPROC, count + 1});
    if (!host_.privileged && host_.counts_by_namespace) {
      return stands("processes", "RLIMIT_NPROC in a user namespace of its own: " + amount +
                                     " over the process tree");
    }
    stands("processes", "RLIMIT_NPROC: " + amount + " of the user id");
    if (policy_.resources.pids) {
      lacks("processes over the process tree",
            "no pids control group can be made here: run as root on cgroup v1, or with a delegated "
            "cgroup v2, or leave out subprocess.sandbox.resources.pids");
    }
  }

  void decide_cpus() {
    if (!policy_.resources.cpu) return;
    std::array<char, 32> amount{};
    std::snprintf(amount.data(), amount.size(), "%g", *policy_.resources.cpu);
    if (const auto group = host_.control_groups.mechanism(Controller::kCpu)) {
      sandbox_.tree.cpus = policy_.resources.cpu;
      return stands("cpu", *group + ": " + amount.data() + " CPUs over the process tree");
    }
    lacks("cpu",
          "no cpu control group can be made here: run as root on cgroup v1, or with a "
          "delegated cgroup v2, or leave out subprocess.sandbox.resources.cpu");
  }

  const SandboxProcessPolicy& policy_;
  const CommandHost& host_;
  CommandSandbox& sandbox_;
  std::optional<SandboxFailure> failure_;
};

std::string network_wall(const SandboxProcessPolicy::Network& network) {
  if (!network.outbound && !network.inbound) return "empty network namespace, no sockets";
  if (!network.inbound) return "the host's network: connections out only";
  if (!network.outbound) return "the host's network: connections in only";
  return "the host's network: connections in and out";
}

template <class Texts>
void write_texts(capnp::List<capnp::Text>::Builder out, const Texts& texts) {
  unsigned i = 0;
  for (const std::string& text : texts) out.set(i++, kj::StringPtr(text.c_str(), text.size()));
}

template <class Container>
unsigned count(const Container& container) {
  return static_cast<unsigned>(container.size());
}

}  // namespace

bool is_privileged() {
  if (::geteuid() != 0) return false;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return false;
  constexpr std::array kNeeded = {CAP_SYS_ADMIN, CAP_SETUID, CAP_SETGID, CAP_SETPCAP,
                                  CAP_NET_ADMIN};
  return std::all_of(kNeeded.begin(), kNeeded.end(),
                     [&](int capability) { return (data[0].effective & (1U << capability)) != 0; });
}

bool counts_processes_by_namespace() {
  utsname name{};
  int major = 0;
  int minor = 0;
  if (::uname(&name) != 0 || std::sscanf(name.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 5 || (major == 5 && minor >= 14);
}

namespace {

Result<CommandSandbox, SandboxFailure> plan(const Authority& authority, const CommandHost& host) {
  const SubprocessAuthority& subprocess = *authority.subprocess();
  ViewRequest request{.subprocess = subprocess, .read_roots = {}, .map_owners = host.privileged};
  for (const FileRoot& root : authority.read_roots().all()) {
    request.read_roots.push_back(root.canonical());
  }
  auto view = plan_view(request);
  if (!view) return SandboxFailure{"view", view.error()};

  const SandboxProcessPolicy& policy = subprocess.sandbox;
  CommandSandbox sandbox;
  sandbox.view = std::move(*view);
  sandbox.filters = syscall_filters(policy);
  // A core limit of 1, since one of 0 does not stop a core that goes into a pipe.
  sandbox.limits = {{RLIMIT_CORE, 1}, {RLIMIT_NOFILE, kExecutedDescriptor}};
  sandbox.report.walls = {
      {"namespaces", host.privileged ? "bubblewrap: mount, pid, ipc, uts, cgroup"
                                     : "bubblewrap: user, mount, pid, ipc, uts, cgroup"},
      {"network", network_wall(policy.network)},
      {"syscalls", "seccomp"}};
  if (auto failure = Limits(policy, host, sandbox).decide()) return *std::move(failure);
  return sandbox;
}

}  // namespace

Result<CommandSandbox, SandboxFailure> plan_sandbox(const Authority& authority,
                                                    const CommandHost& host) {
  try {
    return plan(authority, host);
  } catch (const std::system_error& error) {
    return SandboxFailure{
        "plan", std::string(error.what()) + "; " + remedy_for_shortage(error.code().value())};
  }
}

std::vector<std::string> bubblewrap_arguments(const CommandSandbox& sandbox,
                                              const SandboxProcessPolicy& policy,
                                              const CommandHost& host, int first_loader) {
  // Not --die-with-parent: bubblewrap's child waits for bubblewrap before it would notice its
  // death, and for ever. The launcher ends when the host is gone, and bubblewrap with it.
  std::vector<std::string> arguments{"--unshare-ipc",    "--unshare-pid", "--unshare-uts",
                                     "--unshare-cgroup", "--as-pid-1",    "--hostname",
                                     "sandbox",          "--cap-add",     "ALL"};
  const auto add = [&](std::initializer_list<std::string> texts) {
    arguments.insert(arguments.end(), texts);
  };
  if (!host.privileged) add({"--unshare-user"});
  if (!policy.network.outbound && !policy.network.inbound) add({"--unshare-net"});
  arguments.insert(arguments.end(), sandbox.view.bubblewrap.begin(), sandbox.view.bubblewrap.end());
  int descriptor = first_loader;
  for (const LoaderCopy& loader : sandbox.view.loaders) {
    add({"--perms", "0755", "--ro-bind-data", std::to_string(descriptor++), loader.path});
  }
  add({"--ro-bind", host.launcher.string(), kLauncherPath});
  return arguments;
}

LaunchRequest launch_request(const CommandSandbox& sandbox, const SubprocessAuthority& subprocess,
                             const CheckedCommand& command, const CommandHost& host,
                             const ControlGroup& group) {
  const SandboxProcessPolicy& policy = subprocess.sandbox;
  std::vector<std::string> arguments{command.command.path};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment;
  for (const auto& [name, value] : subprocess.environment)
    environment.push_back(name + "=" + value);

  return LaunchRequest::build([&](wire::Launch::Builder out) {
    out.setBuild(kj::StringPtr(kBuildId.data(), kBuildId.size()));
    out.setExecutable(command.command.canonical.c_str());
    write_texts(out.initArguments(count(arguments)), arguments);
    write_texts(out.initEnvironment(count(environment)), environment);
    out.setDirectory(kScratchDirectory);
    out.setScratchBytes(sandbox.scratch_bytes);
    auto roots = out.initRoots(count(sandbox.view.roots));
    for (unsigned i = 0; i < roots.size(); ++i) {
      roots[i].setSource(sandbox.view.roots[i].source.c_str());
      roots[i].setPath(sandbox.view.roots[i].path.c_str());
      roots[i].setWritable(sandbox.view.roots[i].writable);
    }
    auto granted = out.initGranted(count(sandbox.view.granted));
    for (unsigned i = 0; i < granted.size(); ++i) {
      granted[i].setPath(sandbox.view.granted[i].path.c_str());
      granted[i].setDevice(sandbox.view.granted[i].device);
      granted[i].setInode(sandbox.view.granted[i].inode);
    }
    write_texts(out.initExecutableMounts(count(sandbox.view.executable_mounts)),
                sandbox.view.executable_mounts);
    write_texts(out.initMayExecute(count(sandbox.view.may_execute)), sandbox.view.may_execute);
    write_texts(out.initMayWrite(count(sandbox.view.may_write)), sandbox.view.may_write);
    out.setMayBind(policy.network.inbound);
    out.setMayConnect(policy.network.outbound);
    auto limits = out.initLimits(count(sandbox.limits));
    for (unsigned i = 0; i < limits.size(); ++i) {
      limits[i].setResource(sandbox.limits[i].resource);
      limits[i].setValue(sandbox.limits[i].value);
    }
    auto filters = out.initFilters(count(sandbox.filters));
    for (unsigned i = 0; i < filters.size(); ++i) {
      const FilterProgram& filter = sandbox.filters[i];
      filters.set(i, kj::arrayPtr(reinterpret_cast<const kj::byte*>(filter.data()), filter.size()));
    }
    out.setAllowExec(policy.process.allow_exec);
    out.setBecomeUnprivileged(host.privileged);
    out.setAllowMissingWalls(policy.mode == SandboxProcessPolicy::Mode::kBestEffort);
    out.setControlGroups(count(group.process_files()));
    out.setUnlimitedCpu(group.unlimited_cpu().c_str());
  });
}

}  // namespace cordon
