#pragma once
// Which system calls commands may make, as programs for the kernel.
//
// The base: calls newer than those that were looked at do not exist, what reaches into the kernel,
// other processes or namespaces is refused, and sockets are there only with a network grant. A
// policy's own list comes on top, so nothing in it can open what the base has closed.

#include <cordon/options.h>

#include <string>
#include <vector>

namespace cordon {

using FilterProgram = std::string;  // an array of sock_filter

// Whether libseccomp knows `name` for this machine.
bool is_known_syscall(const std::string& name);

// Whether no command could be started without it.
bool starts_commands(const std::string& name);

// To be installed in this order. Throws std::system_error if libseccomp fails.
std::vector<FilterProgram> syscall_filters(const SandboxProcessPolicy& policy);

}  // namespace cordon
