#pragma once
// What is left of a test: child processes and descriptors of this process.

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace cordon::test {

// Living or unreaped children of this process.
std::vector<pid_t> children();

// Waits (bounded) until some child has used CPU time for a while, and returns it; -1: none did.
pid_t wait_for_busy_child();

std::size_t count_descriptors();
std::size_t count_threads();

}  // namespace cordon::test
