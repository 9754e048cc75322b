#pragma once
// What is left of a test: child processes, descriptors and control groups of this process.

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace cordon::test {

// Living or unreaped children of a process; 0: of this one.
std::vector<pid_t> children(pid_t parent = 0);

// Whether it is, now, a child of `parent` (0: of this process), and no zombie.
bool is_living_child(pid_t pid, pid_t parent = 0);

// Waits (bounded) until some child has used CPU time for a while, and returns it; -1: none did.
pid_t wait_for_busy_child(pid_t parent = 0);

// Waits (bounded) until none of them is a process any more.
bool wait_until_gone(const std::vector<pid_t>& processes);

std::size_t count_descriptors();
std::size_t count_threads();
// Directories of a host's commands' groups, wherever groups can be made; 0: of this process's.
std::vector<std::string> control_groups(pid_t host = 0);

}  // namespace cordon::test
