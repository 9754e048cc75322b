#include "tests/messages/allocation_watch.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> largest{0};

}  // namespace

// Also the nothrow form, lest a sanitizer's own version of it meet this file's delete.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  std::size_t seen = largest.load();
  while (seen < size && !largest.compare_exchange_weak(seen, size)) {
  }
  return std::malloc(size);
}
void* operator new(std::size_t size) {
  if (void* const memory = operator new(size, std::nothrow); memory != nullptr) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace cordon::test {

void forget_allocations() noexcept { largest = 0; }
std::size_t largest_allocation() noexcept { return largest; }

}  // namespace cordon::test
