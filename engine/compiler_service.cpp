#include "engine/compiler_service.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "engine/control_channel.h"
#include "engine/lockdown.h"

namespace cordon::engine {

namespace {

constexpr rlim_t kDescriptors = 64;
constexpr rlim_t kStackBytes = rlim_t{16} << 20;  // a source decides how deep the recursion goes
constexpr rlim_t kThreads = 64;  // Go makes one for each blocked system call, and a few more

// Go collects more often as it nears this, which leaves some memory for what it does not count.
std::string memory_target(std::uint64_t memory_bytes) {
  return "GOMEMLIMIT=" + std::to_string(memory_bytes / 4 * 3);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

StartFailure run_compiler_service(const CompilerRoleOptions& options) {
  // The end of the control channel tells the host that the service was executed.
  if (::fcntl(kControl, F_SETFD, FD_CLOEXEC) != 0 ||
      ::fcntl(kServiceExecutable, F_SETFD, FD_CLOEXEC) != 0) {
    return system_failure("descriptors", "the service's executable is not open",
                          "reinstall Cordon");
  }
  std::vector<std::string> arguments{"compiler"};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> environment{memory_target(options.memory_bytes), "GOMAXPROCS=2"};
  const auto argument_list = pointers(arguments);
  const auto environment_list = pointers(environment);

  const std::array limits{ResourceLimit{RLIMIT_CORE, 0, 0},
                          ResourceLimit{RLIMIT_FSIZE, 0, 0},
                          ResourceLimit{RLIMIT_MEMLOCK, 0, 0},
                          ResourceLimit{RLIMIT_STACK, kStackBytes, kStackBytes},
                          ResourceLimit{RLIMIT_NPROC, kThreads, kThreads},
                          ResourceLimit{RLIMIT_NOFILE, kDescriptors, kDescriptors},
                          ResourceLimit{RLIMIT_DATA, options.memory_bytes, options.memory_bytes}};
  if (const Started locked =
          lock_down({limits, kServiceExecutable, compiler_policy(kServiceExecutable, ::getpid())});
      !locked) {
    return locked.error();
  }
  ::execveat(kServiceExecutable, "", argument_list.data(), environment_list.data(), AT_EMPTY_PATH);
  return system_failure("compiler", "executing the compile service failed",
                        "install a cordon-esbuild and a cordon-transpiler that are static "
                        "executables readable by all");
}

}  // namespace cordon::engine
