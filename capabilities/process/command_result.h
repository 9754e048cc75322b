#pragma once
// How one command ended, and what its spawn() comes to. Pure.

#include <cstdint>
#include <optional>
#include <string>

#include "capabilities/operation.h"
#include "capabilities/process/sandbox_failure.h"

namespace cordon {

struct CommandOutput {
  int code = -1;   // exit status, or -1
  int signal = 0;  // or 0
  std::string out;
  std::string err;
};

struct CommandEnd {
  enum class Stopped : std::uint8_t {
    kNo,
    kTimeout,
    kOutput,
    kOutOfMemory,  // the host is, and cannot keep the output
    kCancelled
  };
  Stopped stopped = Stopped::kNo;              // by the host
  std::optional<SandboxFailure> failure = {};  // the sandbox could not be built: nothing was run
  std::optional<int> not_executed = {};        // errno
  std::uint64_t out_of_memory_kills = 0;
  std::optional<CommandOutput> output = {};
};

struct CommandLimits {
  std::uint64_t timeout_ms = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t memory_bytes = 0;  // over the tree; 0: not enforced over the tree
};

OperationResult<CommandOutput> command_result(const std::string& executable, CommandEnd end,
                                              const CommandLimits& limits);

}  // namespace cordon
