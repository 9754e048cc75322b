#pragma once
// Why an engine process does not start: a mechanism that this host cannot give (spawn.capnp).

#include <string>

#include "messages/result.h"

namespace cordon::engine {

struct StartFailure {
  std::string mechanism;
  std::string message;
  std::string remedy;
};

using Started = Result<void, StartFailure>;

// For calls that the kernel itself refuses to nobody.
inline constexpr const char* kSystemCallRemedy =
    "allow this system call in the container's own seccomp profile";

// A system call failed: `what` plus the text of errno. `remedy` is for any but a want of processes,
// which has one of its own.
StartFailure system_failure(std::string mechanism, const std::string& what, std::string remedy);

}  // namespace cordon::engine
