#pragma once
// What a job's end means for whoever judges the program.

#include <cordon/outcome.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace cordon::batch {

enum class Verdict : std::uint8_t {
  kPassed,
  kFailed,  // an assertion did not hold, or the result is not the expected one
  kError,
  kCompileError,
  kDenied,
  kTimeout,
  kCpuLimit,
  kOutOfMemory,
  kOutputLimit,
  kCrashed,
  kTerminated,
  kInvalidJob,    // the line is no job: nothing was run
  kSandboxError,  // this host's fault, not the program's
};

inline constexpr std::array kVerdicts = {
    Verdict::kPassed,      Verdict::kFailed,  Verdict::kError,      Verdict::kCompileError,
    Verdict::kDenied,      Verdict::kTimeout, Verdict::kCpuLimit,   Verdict::kOutOfMemory,
    Verdict::kOutputLimit, Verdict::kCrashed, Verdict::kTerminated, Verdict::kInvalidJob,
    Verdict::kSandboxError};

// "passed", "compile_error", ...
std::string_view to_string(Verdict verdict) noexcept;
std::optional<Verdict> verdict_of(std::string_view name) noexcept;

// Whether the verdict is one about the program.
bool is_judgement(Verdict verdict) noexcept;

// `asserts`: an AssertionError is a failure rather than an error (script entry, and tests). Values
// are equal as JSON is: numbers by value, whatever the order of keys.
Verdict judge(const Outcome& outcome, bool asserts, const std::optional<nlohmann::json>& expected);

}  // namespace cordon::batch
