#include "capabilities/process/command_result.h"

#include <csignal>
#include <system_error>
#include <utility>

#include "capabilities/refusal.h"
#include "capabilities/shortage.h"
#include "capabilities/shown_text.h"

namespace cordon {

OperationResult<CommandOutput> command_result(const std::string& executable, CommandEnd end,
                                              const CommandLimits& limits) {
  const std::string what = "Subprocess " + shown(executable);
  switch (end.stopped) {
    case CommandEnd::Stopped::kCancelled:
      return OperationError(
          OperationFailure{what + " cancelled: the call is over", "cancelled: the call was over"});
    case CommandEnd::Stopped::kTimeout: {
      const std::string exceeded = "exceeded " + std::to_string(limits.timeout_ms) + "ms";
      return OperationError(Refusal{.capability = "resource.wallClock",
                                    .message = what + " " + exceeded + " (subprocess.timeoutMs)",
                                    .reason = exceeded});
    }
    case CommandEnd::Stopped::kOutput:
      return OperationError(byte_limit_refusal(what + " output", limits.output_bytes,
                                               "resources.maxProcessOutputBytes"));
    case CommandEnd::Stopped::kOutOfMemory:
      return OperationError(out_of_memory(what));
    case CommandEnd::Stopped::kNo:
      break;
  }
  if (end.failure) {
    return OperationError(strict_refusal(executable, *end.failure));
  }
  if (end.not_executed) {
    const std::error_code code(*end.not_executed, std::generic_category());
    return OperationError(OperationFailure{what + " could not be executed: " + code.message(),
                                           "could not be executed: " + code.message()});
  }
  const bool killed = !end.output || end.output->signal == SIGKILL;
  if (killed && end.out_of_memory_kills > 0) {
    auto refusal = byte_limit_refusal(what + " memory", limits.memory_bytes,
                                      "subprocess.sandbox.resources.memoryBytes");
    refusal.capability = "resource.memory";
    return OperationError(std::move(refusal));
  }
  if (!end.output) {
    return OperationError(OperationFailure{what + " failed: its sandbox was killed from outside",
                                           "the sandbox was killed from outside"});
  }
  return *std::move(end.output);
}

}  // namespace cordon
