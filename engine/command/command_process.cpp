#include "engine/command/command_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <string>
#include <vector>

#include "messages/exit_codes.h"
#include "messages/launch_descriptors.h"
#include "messages/unique_fd.h"

namespace cordon::engine {

namespace {

// Pointers into `texts`, which outlive them.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> copy(capnp::List<capnp::Text>::Reader texts) {
  std::vector<std::string> copies;
  for (const auto text : texts) copies.emplace_back(text.cStr(), text.size());
  return copies;
}

bool set_limits(wire::Launch::Reader launch) {
  for (const auto limit : launch.getLimits()) {
    const auto resource = static_cast<__rlimit_resource>(limit.getResource());
    rlimit value{};
    if (::getrlimit(resource, &value) != 0) return false;
    value.rlim_max = std::min<rlim_t>(value.rlim_max, limit.getValue());
    value.rlim_cur = value.rlim_max;
    if (::setrlimit(resource, &value) != 0) return false;
  }
  return true;
}

void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool install_filter(capnp::Data::Reader bytes) {
  std::vector<sock_filter> filter(bytes.size() / sizeof(sock_filter));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<kj::byte*>(filter.data()));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

// Where nothing may be executed, the filter lets execveat() through for this one descriptor, which
// the execution closes and RLIMIT_NOFILE keeps from being made again.
bool open_for_execution(const char* path) {
  const UniqueFd file(::open(path, O_PATH | O_CLOEXEC));
  return file && ::dup3(file.get(), kExecutedDescriptor, O_CLOEXEC) == kExecutedDescriptor;
}

bool install_filters(wire::Launch::Reader launch) {
  for (const auto filter : launch.getFilters()) {
    if (!install_filter(filter)) return false;
  }
  return true;
}

bool join_control_groups(wire::Launch::Reader launch) {
  const int first = first_control_group(launch.getUnlimitedCpu().size() != 0);
  for (unsigned i = 0; i < launch.getControlGroups(); ++i) {
    if (::write(first + static_cast<int>(i), "0", 1) != 1) return false;
  }
  return true;
}

// In memory shared with the launcher, since the filter may allow no system call to tell it.
using SharedFailure = volatile NotExecuted;

[[noreturn]] void execute(wire::Launch::Reader launch, SharedFailure* failure) {
  using Step = NotExecuted::Step;
  const auto give_up = [failure](Step step) {
    failure->error = errno;
    failure->step = step;
    ::_exit(kExitNotLocked);
  };
  if (!join_control_groups(launch)) give_up(Step::kControlGroups);
  std::vector<std::string> argument_texts = copy(launch.getArguments());
  std::vector<std::string> environment_texts = copy(launch.getEnvironment());
  const auto arguments = pointers(argument_texts);
  const auto environment = pointers(environment_texts);
  const std::string executable = launch.getExecutable();

  ::setsid();
  reset_signals();
  if (::chdir(launch.getDirectory().cStr()) != 0) give_up(Step::kExecution);
  if (!launch.getAllowExec() && !open_for_execution(executable.c_str())) give_up(Step::kExecution);
  if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0) give_up(Step::kExecution);
  if (!set_limits(launch)) give_up(Step::kLimits);
  if (!install_filters(launch)) give_up(Step::kLimits);
  if (launch.getAllowExec()) {
    ::execve(executable.c_str(), arguments.data(), environment.data());
  } else {
    ::syscall(SYS_execveat, kExecutedDescriptor, "", arguments.data(), environment.data(),
              AT_EMPTY_PATH);
  }
  give_up(Step::kExecution);
  ::_exit(kExitNotLocked);
}

}  // namespace

Result<StartedCommand, StartFailure> start_command(wire::Launch::Reader launch) {
  void* const shared = ::mmap(nullptr, sizeof(NotExecuted), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return system_failure("memory", "mmap failed", "free memory");
  auto* const failure = ::new (shared) NotExecuted;
  const pid_t command = ::fork();
  if (command < 0) {
    return system_failure("processes", "fork failed", "raise the limit of processes");
  }
  if (command == 0) execute(launch, failure);
  return StartedCommand{command, failure};
}

std::optional<CommandEnd> await_command(const StartedCommand& command, int control) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const UniqueFd children(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  std::array waits{pollfd{control, POLLIN, 0}, pollfd{children.get(), POLLIN, 0}};
  for (;;) {
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;
    if (waits[0].revents != 0) return std::nullopt;  // the host is gone, or wants it over
    signalfd_siginfo info{};
    while (::read(children.get(), &info, sizeof info) > 0) {
    }
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid != command.pid) continue;
      const NotExecuted failure{command.failure->step, command.failure->error};
      if (WIFSIGNALED(status)) return CommandEnd{-1, WTERMSIG(status), failure};
      return CommandEnd{WEXITSTATUS(status), 0, failure};
    }
  }
}

}  // namespace cordon::engine
