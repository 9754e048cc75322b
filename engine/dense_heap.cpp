#include "engine/dense_heap.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

#include "messages/whole_pages.h"

namespace cordon::engine {

namespace {

constexpr std::size_t kGrain = 16;                        // of the library's sizes
constexpr std::size_t kLargest = std::size_t{120} << 10;  // larger ones are mapped

// Keeps for good a block that fills a hole; false when there is none left of that size.
bool fill_one(std::size_t size, const void* old_end) {
  void* const block = std::malloc(size);
  if (block == nullptr) return false;
  if (block < old_end) {
    // Nobody will read what the warm-up has left there.
    const auto pages = whole_pages({static_cast<std::byte*>(block), size});
    if (!pages.empty()) ::madvise(pages.data(), pages.size(), MADV_DONTNEED);
    return true;
  }
  std::free(block);
  return false;
}

}  // namespace

void fill_heap_holes() noexcept {
  const void* const old_end = ::sbrk(0);
  for (std::size_t size = kLargest; size >= kGrain; size -= kGrain) {
    while (fill_one(size, old_end)) {
    }
  }
}

}  // namespace cordon::engine
