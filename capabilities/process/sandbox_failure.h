#pragma once
// Why a command's sandbox cannot be had on this host. Nothing was run.

#include <string>

#include "capabilities/operation.h"

namespace cordon {

struct SandboxFailure {
  std::string mechanism;  // "bubblewrap", "cgroup", "landlock", ...
  std::string why;        // for people, with the remedy; host-written
};

Refusal strict_refusal(const std::string& executable, const SandboxFailure& failure);

}  // namespace cordon
