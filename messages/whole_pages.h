#pragma once
// The pages that lie in memory from their first byte to their last.

#include <cstddef>
#include <cstdint>
#include <span>

namespace cordon {

// Empty where there is none. `page`: bytes, a power of two.
inline std::span<std::byte> whole_pages(std::span<std::byte> memory,
                                        std::size_t page = 4096) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + memory.size()) / page * page;
  if (last <= first) return {};
  return memory.subspan(first - begin, last - first);
}

}  // namespace cordon
