#pragma once
// Processes by descriptor: signals and statuses that cannot hit a stranger with a reused pid.

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>

namespace cordon {

struct ProcessEnd {
  bool known = false;  // false: another part of this program reaped it, on a kernel before 6.15
  int code = -1;       // exit status, or -1 when a signal ended it
  int signal = 0;      // or 0
  std::optional<rusage> usage;  // absent when another part of this program reaped it
};

// In the PID namespace that this process's /proc shows; -1 when the process is gone and reaped.
pid_t pid_of(int pidfd);

// False when the process has ended.
bool send_signal(int pidfd, int signal) noexcept;

// True when the process has ended, reaped or not.
bool has_ended(int pidfd) noexcept;

// The end of a child of this process, or nothing while it runs. The status is also found when the
// program ignores SIGCHLD, so that the kernel has reaped the child by itself.
std::optional<ProcessEnd> try_reap(int pidfd) noexcept;

// The same, waiting for the end.
ProcessEnd reap(int pidfd) noexcept;

}  // namespace cordon
