#pragma once
// The role `compiler`: becomes the compile service, a static executable that the host has opened,
// locked down for its whole life.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/start_failure.h"

namespace cordon::engine {

inline constexpr int kServiceExecutable = 5;  // read-only descriptor, from the host

struct CompilerRoleOptions {
  std::uint64_t memory_bytes = 0;      // RLIMIT_DATA
  std::vector<std::string> arguments;  // of the service, after its name
};

// Does not return when the service is executed. Its descriptors are 0 and 1, from the host, and 2,
// /dev/null.
StartFailure run_compiler_service(const CompilerRoleOptions& options);

}  // namespace cordon::engine
