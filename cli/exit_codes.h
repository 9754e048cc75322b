#pragma once
// How an outcome shows in the exit code of `cordon` (contract section 4).

#include <cordon/outcome.h>

namespace cordon {

inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitSandbox = 3;
inline constexpr int kExitDenied = 4;
inline constexpr int kExitTimeout = 124;
inline constexpr int kExitTerminated = 130;
inline constexpr int kExitOutOfMemory = 137;
inline constexpr int kExitCrashed = 139;

int exit_code(Status status) noexcept;

}  // namespace cordon
