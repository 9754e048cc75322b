#pragma once
// The largest piece of memory that this program asked operator new for.

#include <cstddef>

namespace cordon::test {

void forget_allocations() noexcept;
std::size_t largest_allocation() noexcept;

}  // namespace cordon::test
