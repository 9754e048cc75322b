#pragma once
// Memory that is about to be written to, all at once rather than by one page fault a page, which
// take twice as long. Nothing depends on it: where the kernel does not know how (before Linux
// 5.14), or has no memory, the page faults come. Uses madvise only.

#include <sys/mman.h>

#include <cstddef>
#include <span>

#include "messages/whole_pages.h"

namespace cordon {

// Of its whole pages. Leaves what they hold.
inline void populate(std::span<std::byte> memory) noexcept {
  const auto pages = whole_pages(memory);
  if (!pages.empty()) ::madvise(pages.data(), pages.size(), MADV_POPULATE_WRITE);
}

}  // namespace cordon
