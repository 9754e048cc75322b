#pragma once
// Limits of a policy, once for everybody who reads, prints or checks them: those of
// SandboxResourceGrant by their names in JSON, and what commands' own can be.

#include <cordon/options.h>
#include <cstdint>

namespace cordon {

// 2^53 - 1: the largest whole number that JSON readers agree about.
inline constexpr std::uint64_t kMaxLimit = (std::uint64_t{1} << 53) - 1;

// Of SandboxProcessPolicy::Resources. Hardly any program starts with less memory; the kernel
// divides CPUs no further, and knows no larger numbers of processes.
inline constexpr std::uint64_t kMinCommandMemory = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMaxCommandProcesses = std::uint64_t{1} << 22;
inline constexpr double kMinCommandCpus = 0.001;
inline constexpr const char* kCommandCpus = "a number of CPUs, at least 0.001 (left out: no limit)";

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
