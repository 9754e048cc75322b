#include <cordon/outcome.h>

#include <array>

#include <cordon/errors.h>

namespace cordon {

const char* to_string(Status status) noexcept {
  constexpr std::array kNames = {"ok",      "error",      "compile_error", "denied",
                                 "timeout", "cpu_limit",  "out_of_memory", "output_limit",
                                 "crashed", "terminated", "unavailable",   "audit_failed"};
  const auto index = static_cast<std::size_t>(status);
  return index < kNames.size() ? kNames[index] : "unknown";
}

const Value& Outcome::value() const {
  if (result) return *result;
  if (denial) throw SandboxDeniedError(denial->capability, denial->message, denial->target);
  const OutcomeError none{"SandboxError", "There is no result", "", 0, 0};
  const OutcomeError& what = error ? *error : none;
  throw SandboxError(what.name, what.message, what.stack);
}

}  // namespace cordon
