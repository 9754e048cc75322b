#pragma once
// Leaves the host's namespaces, as an unprivileged user of the host.

#include "engine/start_failure.h"

namespace cordon::engine {

// Afterwards the single-threaded caller is uid and gid 65534 of a new user namespace, with all its
// capabilities, in new mount, network, IPC, UTS and cgroup namespaces; its next child is the init
// of a new PID namespace. Started by root it runs as a random unprivileged user and group of the
// host, without supplementary groups; the new user namespace still belongs to root, who can
// therefore change the processes' limits. Started by another user it stays that user.
Started enter_namespaces();

// One of them alone, by its CLONE_NEW... flag, which must be one of those above but the user's.
Started enter_namespace(int kind);

}  // namespace cordon::engine
