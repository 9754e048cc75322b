#include "cli/batch/verdict.h"

namespace cordon::batch {
namespace {

constexpr std::string_view kAssertionError = "AssertionError";

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  constexpr std::array<std::string_view, kVerdicts.size()> kNames = {
      "passed",     "failed",      "error",         "compile_error", "denied",
      "timeout",    "cpu_limit",   "out_of_memory", "output_limit",  "crashed",
      "terminated", "invalid_job", "sandbox_error"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_of(std::string_view name) noexcept {
  for (const Verdict verdict : kVerdicts) {
    if (to_string(verdict) == name) return verdict;
  }
  return std::nullopt;
}

bool is_judgement(Verdict verdict) noexcept {
  return verdict != Verdict::kInvalidJob && verdict != Verdict::kSandboxError &&
         verdict != Verdict::kTerminated;
}

Verdict judge(const Outcome& outcome, bool asserts, const std::optional<nlohmann::json>& expected) {
  switch (outcome.status) {
    case Status::kOk:
      if (expected && outcome.value().view() != *expected) return Verdict::kFailed;
      return Verdict::kPassed;
    case Status::kError:
      return asserts && outcome.error && outcome.error->name == kAssertionError ? Verdict::kFailed
                                                                                : Verdict::kError;
    case Status::kCompileError:
      return Verdict::kCompileError;
    case Status::kDenied:
      return Verdict::kDenied;
    case Status::kTimeout:
      return Verdict::kTimeout;
    case Status::kCpuLimit:
      return Verdict::kCpuLimit;
    case Status::kOutOfMemory:
      return Verdict::kOutOfMemory;
    case Status::kOutputLimit:
      return Verdict::kOutputLimit;
    case Status::kCrashed:
      return Verdict::kCrashed;
    case Status::kTerminated:
      return Verdict::kTerminated;
    case Status::kUnavailable:
    case Status::kAuditFailed:
      return Verdict::kSandboxError;
  }
  return Verdict::kSandboxError;
}

}  // namespace cordon::batch
