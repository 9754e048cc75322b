#include "engine/script/memory_limit.h"

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/script/spidermonkey.h"

namespace cordon::engine {

namespace {

// Array elements, string characters and array buffers come from malloc, the collector's heap does
// not.
std::size_t malloc_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::size_t growth(std::size_t before, std::size_t now) { return now > before ? now - before : 0; }

}  // namespace

void MemoryLimit::start(JSContext* cx, std::size_t budget) {
  // The engine counts its heap in 32 bits.
  budget_ = std::min<std::size_t>(budget, std::numeric_limits<std::uint32_t>::max());
  if (budget_ == 0) return;
  heap_before_ = sm::heap_bytes(cx);
  buffers_before_ = malloc_bytes();
  sm::set_heap_limit(cx, heap_before_ + budget_, budget_);
}

void MemoryLimit::collected(JSContext* cx) {
  if (budget_ == 0) return;
  const std::size_t used =
      growth(heap_before_, sm::heap_bytes(cx)) + growth(buffers_before_, malloc_bytes());
  if (used <= budget_ / 10 * 9) return;
  exceeded_ = true;
  sm::request_interrupt(cx);
}

}  // namespace cordon::engine
