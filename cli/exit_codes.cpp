#include "cli/exit_codes.h"

namespace cordon {

int exit_code(Status status) noexcept {
  switch (status) {
    case Status::kOk:
      return kExitOk;
    case Status::kError:
    case Status::kCompileError:
    case Status::kOutputLimit:
      return kExitError;
    case Status::kDenied:
      return kExitDenied;
    case Status::kTimeout:
    case Status::kCpuLimit:
      return kExitTimeout;
    case Status::kOutOfMemory:
      return kExitOutOfMemory;
    case Status::kCrashed:
      return kExitCrashed;
    case Status::kTerminated:
      return kExitTerminated;
    case Status::kUnavailable:
    case Status::kAuditFailed:
      return kExitSandbox;
  }
  return kExitSandbox;
}

}  // namespace cordon
