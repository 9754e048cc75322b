#include "actors/process/start_failure.h"

#include <sys/resource.h>

#include <cerrno>
#include <system_error>
#include <tuple>
#include <utility>

namespace cordon {
namespace {

bool is_want_of_descriptors(int error) {
  return error == EMFILE || error == ENFILE || error == ETOOMANYREFS;
}

}  // namespace

std::string refusal(const StartFailure& failure) {
  return "This host cannot enforce the sandbox: " + failure.mechanism + ": " + failure.message +
         ". " + failure.remedy;
}

StartFailure system_failure(std::string mechanism, const std::string& what, int error,
                            std::string remedy) {
  if (is_want_of_descriptors(error)) {
    remedy = kMoreDescriptors;
  } else if (error == EAGAIN) {
    remedy = kMoreProcesses;
  }
  return {std::move(mechanism),
          what + ": " + std::error_code(error, std::generic_category()).message(),
          std::move(remedy)};
}

StartFailure thread_failure() {
  return name_memory_limits(
      system_failure("processes and threads", "starting one more failed", EAGAIN));
}

StartFailure memory_failure(std::string what) {
  return name_memory_limits({"memory", std::move(what), kMoreMemory});
}

std::optional<StartFailure> want_of_resources(std::error_code error, const std::string& what) {
  const std::error_condition condition = error.default_error_condition();
  if (condition.category() != std::generic_category()) return std::nullopt;
  if (condition.value() == EAGAIN) return thread_failure();
  if (is_want_of_descriptors(condition.value())) {
    return StartFailure{"descriptors", what, kMoreDescriptors};
  }
  if (condition.value() == ENOMEM) return memory_failure(what);
  return std::nullopt;
}

StartFailure name_memory_limits(StartFailure failure) {
  constexpr std::tuple<__rlimit_resource, const char*, const char*> kLimits[] = {
      {RLIMIT_DATA, "data", "RLIMIT_DATA, ulimit -d"},
      {RLIMIT_AS, "address space", "RLIMIT_AS, ulimit -v"}};
  for (const auto& [resource, what, names] : kLimits) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
    failure.remedy = std::string("raise the limit of ") + what + " (" + names + ", now " +
                     std::to_string(limit.rlim_cur >> 10) + " KiB), or " + failure.remedy;
  }
  return failure;
}

}  // namespace cordon
