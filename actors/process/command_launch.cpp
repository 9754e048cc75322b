#include "actors/process/command_launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "actors/process/spawn_plan.h"
#include "capabilities/shortage.h"
#include "messages/launch_descriptors.h"

namespace cordon {

namespace {

std::string error_text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

SandboxFailure descriptor_failure() {
  return {"descriptors", error_text(errno) + "; " + kMoreDescriptors};
}

// Sealed, so that nobody who holds it changes what another reads.
UniqueFd memory_file(std::span<const std::byte> bytes) {
  UniqueFd file(::memfd_create("cordon-launch", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return {};
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return {};
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0 ||
      ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) != 0) {
    return {};
  }
  return file;
}

UniqueFd memory_file(std::string_view text) {
  return memory_file(std::as_bytes(std::span(text.data(), text.size())));
}

// One argument after the other, each with a NUL at its end.
std::string zero_separated(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined.append(text).push_back('\0');
  return joined;
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

std::optional<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  if (::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK) != 0) return std::nullopt;
  return pipe;
}

// What becomes descriptor 3 and on in bubblewrap.
std::vector<UniqueFd> inherited_files(const CommandSandbox& sandbox, const LaunchRequest& request,
                                      const std::vector<std::string>& arguments) {
  std::vector<UniqueFd> files;
  files.push_back(memory_file(request.bytes()));
  files.push_back(memory_file(zero_separated(arguments)));
  for (const LoaderCopy& loader : sandbox.view.loaders) files.push_back(memory_file(loader.image));
  return files;
}

Result<pid_t, SandboxFailure> execute(const std::string& bubblewrap,
                                      const std::vector<int>& inherit, int out, int err) {
  const int end = kLaunchControl + static_cast<int>(inherit.size());
  SpawnPlan plan;
  plan.pass_nothing(STDIN_FILENO);
  bool planned = plan.pass(out, STDOUT_FILENO, end) && plan.pass(err, STDERR_FILENO, end);
  for (std::size_t i = 0; planned && i < inherit.size(); ++i) {
    planned = plan.pass(inherit[i], kLaunchControl + static_cast<int>(i), end);
  }
  if (!planned) return descriptor_failure();
  plan.close_from(end);
  plan.detach_signals();
  // Other users can read these; the launcher replaces the environment.
  std::string texts[] = {"bwrap", "--args", std::to_string(kBubblewrapArguments), kLauncherPath};
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  std::string locale = "LC_ALL=C";
  char* environment[] = {locale.data(), nullptr};
  pid_t pid = -1;
  const int error = plan.spawn(&pid, bubblewrap.c_str(), arguments.data(), environment);
  if (error == 0) return pid;
  if (error == EAGAIN) {
    return SandboxFailure{"processes", error_text(error) +
                                           "; raise the limit of processes (RLIMIT_NPROC, the "
                                           "pids control group)"};
  }
  return SandboxFailure{"bubblewrap", "executing " + bubblewrap + " failed: " + error_text(error) +
                                          "; install the package bubblewrap"};
}

// Bubblewrap and its child, if it has one already, are a process group of their own.
void end_unwatched(pid_t pid) {
  ::kill(-pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<LaunchedCommand, SandboxFailure> launch_command(const CommandSandbox& sandbox,
                                                       const SubprocessAuthority& subprocess,
                                                       const CheckedCommand& command,
                                                       const CommandHost& host) {
  if (::access(host.launcher.c_str(), X_OK) != 0) {
    return SandboxFailure{"launcher", host.launcher.string() + ": " + error_text(errno) +
                                          "; install cordon-launch beside cordon-engine"};
  }
  LaunchedCommand launched;
  if (sandbox.tree.memory_bytes || sandbox.tree.processes || sandbox.tree.cpus) {
    auto group = host.control_groups.make(sandbox.tree);
    if (!group) return SandboxFailure{"cgroup", group.error()};
    launched.group = std::move(*group);
  }
  const int quota = launched.group.quota_file();
  const std::vector<int> groups = launched.group.process_files();
  const int first_loader = first_control_group(quota >= 0) + static_cast<int>(groups.size());
  const auto request = launch_request(sandbox, subprocess, command, host, launched.group);
  const auto files = inherited_files(
      sandbox, request, bubblewrap_arguments(sandbox, subprocess.sandbox, host, first_loader));

  int control[2];
  auto out = make_pipe();
  auto err = make_pipe();
  if (!out || !err || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    return descriptor_failure();
  }
  launched.control.reset(control[0]);
  const UniqueFd control_end(control[1]);
  for (const UniqueFd& file : files) {
    if (!file) return descriptor_failure();
  }
  std::vector<int> inherit{control_end.get(), files[0].get(), files[1].get()};
  if (quota >= 0) inherit.push_back(quota);
  inherit.insert(inherit.end(), groups.begin(), groups.end());
  for (std::size_t i = 2; i < files.size(); ++i) inherit.push_back(files[i].get());

  const auto pid = execute(host.bubblewrap.string(), inherit, out->write.get(), err->write.get());
  if (!pid) return pid.error();
  launched.process.reset(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
  if (!launched.process) {
    const SandboxFailure failure = descriptor_failure();
    end_unwatched(*pid);
    return failure;
  }
  launched.out = std::move(out->read);
  launched.err = std::move(err->read);
  return launched;
}

}  // namespace cordon
