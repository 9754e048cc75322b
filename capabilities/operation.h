#pragma once
// How one capability operation ends: a value, a refusal, or a failure after authorization.

#include <cstdint>
#include <string>
#include <variant>

#include "messages/result.h"

namespace cordon {

// Becomes SandboxDeniedError in the guest and a `denied` event.
struct Refusal {
  std::string capability;  // contract section 3: "filesystem.read", "resource.bytes", ...
  std::string
      message;  // for the guest: starts with what was asked, names the option that would change it
  std::string reason;  // for the audit: host-written, holds nothing that the guest chose
};

// Becomes an Error of its kind in the guest and an `error` event.
struct OperationFailure {
  enum class Kind : std::uint8_t {
    kError,
    kTypeError,  // the arguments are not what the function takes
    kToolError,  // a tool says so itself
  };
  std::string message;  // for the guest, e.g. "Filesystem read failed: no such file"
  std::string reason;   // for the audit
  Kind kind = Kind::kError;
};

using OperationError = std::variant<Refusal, OperationFailure>;

template <class T>
using OperationResult = Result<T, OperationError>;

}  // namespace cordon
