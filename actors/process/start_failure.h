#pragma once
// Why a process that confines others could not be had.

#include <optional>
#include <string>
#include <system_error>

#include "capabilities/shortage.h"

namespace cordon {

// A mechanism that this host cannot give (spawn.capnp StartFailure). Nothing was run.
struct StartFailure {
  std::string mechanism;  // "user namespace", "landlock", "seccomp", "engine", ...
  std::string message;    // what failed, with the system's error text
  std::string remedy;     // what an administrator can do about it
};

inline constexpr const char* kMoreProcesses =
    "raise the limit of processes (pids cgroup, RLIMIT_NPROC)";

// As people are told of it.
std::string refusal(const StartFailure& failure);

// Of a system call that failed with the errno `error`. `remedy` is for any but a want of
// descriptors or of processes, which have their own.
StartFailure system_failure(std::string mechanism, const std::string& what, int error,
                            std::string remedy = kMoreMemory);

// The host has no process or thread left for this one.
StartFailure thread_failure();

// The host has no memory left for this one.
StartFailure memory_failure(std::string what = kHostOutOfMemory);

// Of something that threw `error`, and said `what`. Nothing where that is no want of descriptors,
// processes, threads or memory.
std::optional<StartFailure> want_of_resources(std::error_code error, const std::string& what);

// `failure` of what could not say why it did not start. Where this process, and with it what it
// starts, is limited in memory, the remedy names that limit first.
StartFailure name_memory_limits(StartFailure failure);

}  // namespace cordon
