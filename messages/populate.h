#pragma once
// Memory that is about to be written to, all at once rather than by one page fault a page, which
// take twice as long. Nothing depends on it: where the kernel does not know how (before Linux
// 5.14), or has no memory, the page faults come. Uses madvise only.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace cordon {

// Of its whole pages. Leaves what they hold.
inline void populate(std::span<std::byte> memory) noexcept {
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  const std::uintptr_t last = (begin + memory.size()) / kPage * kPage;
  if (first < last) {
    ::madvise(memory.data() + (first - begin), last - first, MADV_POPULATE_WRITE);
  }
}

}  // namespace cordon
