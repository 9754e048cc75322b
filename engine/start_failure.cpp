#include "engine/start_failure.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace cordon::engine {

StartFailure system_failure(std::string mechanism, const std::string& what, std::string remedy) {
  const std::error_code code(errno, std::generic_category());
  if (errno == EAGAIN) remedy = "raise the limit of processes (pids cgroup, RLIMIT_NPROC)";
  return {std::move(mechanism), what + ": " + code.message(), std::move(remedy)};
}

}  // namespace cordon::engine
