#pragma once
// From the process that the host has started to the one that plays its role.
//
// The launcher leaves the host's namespaces, makes the namespace's init and then the role's
// process, both as children of the host, hands their pidfds to the host and ends. The init does
// nothing but wait for the host's end, and with it ends the namespace and everything in it.

#include "engine/control_channel.h"
#include "engine/start_failure.h"

namespace cordon::engine {

// Returns in the role's process, as the only thread of it, with the lifeline closed; it still has
// all capabilities over its namespaces. On a failure it returns in whichever process has failed.
Started launch(const ControlChannel& control);

// A child of the caller's parent, in a copy of the caller's memory: its pid, 0 in the child, or -1
// and errno. `pidfd` names the child.
struct Clone {
  long pid;
  int pidfd;
};
Clone clone_sibling() noexcept;

}  // namespace cordon::engine
