#pragma once
// The limits of SandboxResourceGrant by their names in JSON policy, once for everybody who reads,
// prints or checks them.

#include <cordon/options.h>
#include <cstdint>

namespace cordon {

// 2^53 - 1: the largest whole number that JSON readers agree about.
inline constexpr std::uint64_t kMaxLimit = (std::uint64_t{1} << 53) - 1;

struct LimitField {
  const char* name;
  std::uint64_t SandboxResourceGrant::*member;
};

// All but maxCpuMs, which alone may be absent.
inline constexpr LimitField kLimitFields[] = {
    {"maxOperations", &SandboxResourceGrant::max_operations},
    {"maxReadBytes", &SandboxResourceGrant::max_read_bytes},
    {"maxWriteBytes", &SandboxResourceGrant::max_write_bytes},
    {"maxNetworkBytes", &SandboxResourceGrant::max_network_bytes},
    {"maxProcessOutputBytes", &SandboxResourceGrant::max_process_output_bytes},
    {"maxToolBytes", &SandboxResourceGrant::max_tool_bytes},
    {"wallClockMs", &SandboxResourceGrant::wall_clock_ms},
    {"maxMemoryBytes", &SandboxResourceGrant::max_memory_bytes},
    {"maxConsoleBytes", &SandboxResourceGrant::max_console_bytes},
    {"maxResultBytes", &SandboxResourceGrant::max_result_bytes},
    {"maxSourceBytes", &SandboxResourceGrant::max_source_bytes},
    {"maxConcurrentOperations", &SandboxResourceGrant::max_concurrent_operations},
};

}  // namespace cordon
