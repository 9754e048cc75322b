#include "actors/process/start_failure.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace cordon {

std::string refusal(const StartFailure& failure) {
  return "This host cannot enforce the sandbox: " + failure.mechanism + ": " + failure.message +
         ". " + failure.remedy;
}

StartFailure system_failure(std::string mechanism, const std::string& what, int error,
                            std::string remedy) {
  if (error == EMFILE || error == ENFILE || error == ETOOMANYREFS) {
    remedy = "raise the limit of open files";
  } else if (error == EAGAIN) {
    remedy = "raise the limit of processes (pids cgroup, RLIMIT_NPROC)";
  }
  return {std::move(mechanism),
          what + ": " + std::error_code(error, std::generic_category()).message(),
          std::move(remedy)};
}

StartFailure thread_failure() {
  return system_failure("processes and threads", "starting one more failed", EAGAIN);
}

}  // namespace cordon
