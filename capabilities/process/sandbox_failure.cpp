#include "capabilities/process/sandbox_failure.h"

#include "capabilities/shown_text.h"

namespace cordon {

Refusal strict_refusal(const std::string& executable, const SandboxFailure& failure) {
  return {.capability = "subprocess",
          .message = "Subprocess " + shown(executable) +
                     " refused: the strict sandbox cannot be had on this host: " +
                     failure.mechanism + ": " + failure.why,
          .reason = "strict sandbox not available: " + failure.mechanism};
}

}  // namespace cordon
