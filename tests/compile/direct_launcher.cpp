#include "tests/compile/direct_launcher.h"

#include <esbuild_version.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

namespace cordon::test {
namespace {

class ChildProcess : public ServiceProcess {
 public:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  ~ChildProcess() override {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

 private:
  const pid_t pid_;
};

// Between fork and exec: only what is safe there.
[[noreturn]] void become_service(int channel, std::uint64_t memory_bytes, const char* executable,
                                 const char* argument, const char* memory_target) {
  const rlimit limit{memory_bytes, memory_bytes};
  const int nothing = ::open("/dev/null", O_RDWR);
  ::setrlimit(RLIMIT_DATA, &limit);
  ::dup2(channel, STDIN_FILENO);
  ::dup2(channel, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  ::execle(executable, "compiler", argument, nullptr,
           std::array{memory_target, "GOMAXPROCS=2", static_cast<const char*>(nullptr)}.data());
  ::_exit(127);
}

}  // namespace

ServiceLauncher DirectLauncher::launcher() {
  return [this] { return launch(); };
}

std::vector<pid_t> DirectLauncher::started() const {
  const std::lock_guard lock(mutex_);
  return started_;
}

Result<LaunchedService, StartFailure> DirectLauncher::launch() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return StartFailure{"test", "socketpair", ""};
  }
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  const std::string argument = "--service=" + std::string(kEsbuildVersion);
  const std::string memory_target = "GOMEMLIMIT=" + std::to_string(memory_bytes_ / 4 * 3);
  const pid_t pid = ::fork();
  if (pid < 0) return StartFailure{"test", "fork", ""};
  if (pid == 0) {
    become_service(theirs.get(), memory_bytes_, executable_, argument.c_str(),
                   memory_target.c_str());
  }
  const std::lock_guard lock(mutex_);
  started_.push_back(pid);
  return LaunchedService{std::move(ours), std::make_unique<ChildProcess>(pid)};
}

}  // namespace cordon::test
