#pragma once
// What this process has mapped for its own data, from procfs.

#include <cstddef>
#include <vector>

namespace cordon::engine {

struct PageRange {
  std::byte* begin = nullptr;  // page-aligned, as is `size`
  std::size_t size = 0;
};

// Heap, stack, data of libraries; no large reservations. Empty when procfs cannot be read.
std::vector<PageRange> writable_memory();

}  // namespace cordon::engine
