#pragma once
// The compilers without their locks, for tests of what the client makes of it. The lock has tests
// of its own.

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "actors/compile/service_launcher.h"

namespace cordon::test {

// Launches a real compiler and remembers the processes. Thread-safe; outlives its launcher().
class DirectLauncher {
 public:
  explicit DirectLauncher(std::uint64_t memory_bytes = std::uint64_t{512} << 20,
                          const char* executable = CORDON_ESBUILD)
      : memory_bytes_(memory_bytes), executable_(executable) {}

  ServiceLauncher launcher();

  // In the order of their start. A pid is valid while its service runs.
  std::vector<pid_t> started() const;

 private:
  Result<LaunchedService, StartFailure> launch();

  const std::uint64_t memory_bytes_;
  const char* const executable_;
  mutable std::mutex mutex_;
  std::vector<pid_t> started_;
};

// Both compilers.
struct DirectLaunchers {
  DirectLauncher esbuild;
  DirectLauncher quick{std::uint64_t{192} << 20, CORDON_TRANSPILER};
  ServiceLaunchers launchers() { return {esbuild.launcher(), quick.launcher()}; }
};

}  // namespace cordon::test
