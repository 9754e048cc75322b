#include "tests/messages/allocation_watch.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> largest{0};

}  // namespace

void* operator new(std::size_t size) {
  std::size_t seen = largest.load(std::memory_order_relaxed);
  while (seen < size && !largest.compare_exchange_weak(seen, size)) {
  }
  if (void* const memory = std::malloc(size); memory != nullptr) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace cordon::test {

void forget_allocations() noexcept { largest = 0; }
std::size_t largest_allocation() noexcept { return largest; }

}  // namespace cordon::test
