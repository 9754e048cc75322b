#pragma once
// Turns a syscall policy into a seccomp program and installs it on the calling process.

#include <linux/filter.h>

#include <vector>

#include "engine/syscall_policy.h"

namespace cordon::engine {

using SeccompFilter = std::vector<sock_filter>;

SeccompFilter assemble(const SyscallPolicy& policy);

// Needs no_new_privs. False on failure: see errno. Allocates nothing.
bool install(const SeccompFilter& filter) noexcept;

}  // namespace cordon::engine
