#pragma once
// The steps by which a process in its own namespaces gives up everything else, in the one order
// that works, all or nothing.

#include <optional>
#include <span>

#include "engine/privileges.h"
#include "engine/start_failure.h"
#include "engine/syscall_policy.h"

namespace cordon::engine {

struct Lockdown {
  std::span<const ResourceLimit> limits;
  std::optional<int> executable;  // the only file that may be executed and read
  SyscallPolicy policy;
};

// Called by the only thread. After a failure the process must end: it may be locked by half.
Started lock_down(const Lockdown& lockdown);

// Threads of this process; needs procfs. 0 when it cannot be read.
unsigned count_threads();

}  // namespace cordon::engine
