#pragma once
// Runs a seccomp program without a kernel.

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <span>

namespace cordon::test {

// The program's verdict. Throws std::logic_error on what the kernel would refuse to load: a jump or
// load out of bounds, an end without a return, an unknown instruction.
std::uint32_t evaluate(std::span<const sock_filter> program, const seccomp_data& data);

}  // namespace cordon::test
