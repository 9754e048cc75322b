#include "engine/huge_data.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "engine/writable_memory.h"
#include "messages/whole_pages.h"

#ifndef MADV_COLLAPSE  // Linux 6.1
#define MADV_COLLAPSE 25
#endif

namespace cordon::engine {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr int kRounds = 5;

std::uintptr_t address(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

bool is_half_filled(const PageRange& range) {
  std::array<unsigned char, kHugePage / kPage> pages{};
  const std::size_t count = std::min(range.size / kPage, pages.size());
  if (::mincore(range.begin, count * kPage, pages.data()) != 0) return false;
  const auto present =
      std::count_if(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(count),
                    [](unsigned char page) { return (page & 1) != 0; });
  return 2 * static_cast<std::size_t>(present) >= count;
}

// A chunk of the engine's heap is half a huge page: maps the other half, if nobody has. What is
// hardly used (the nursery, of which each child makes its own) is left as it is.
void complete_chunks(std::size_t chunk_bytes) {
  if (2 * chunk_bytes != kHugePage) return;
  for (const PageRange& range : writable_memory()) {
    if (range.size != chunk_bytes || address(range.begin) % chunk_bytes != 0) continue;
    if (!is_half_filled(range)) continue;
    const bool is_first_half = address(range.begin) % kHugePage == 0;
    ::mmap(is_first_half ? range.begin + chunk_bytes : range.begin - chunk_bytes, chunk_bytes,
           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
}

std::vector<std::byte*> pages_in_use() {
  std::vector<std::byte*> found;
  for (const PageRange& range : writable_memory()) {
    const auto pages = whole_pages({range.begin, range.size}, kHugePage);
    for (std::size_t at = 0; at < pages.size(); at += kHugePage) {
      std::byte* const page = pages.data() + at;
      if (is_half_filled({page, kHugePage})) found.push_back(page);
    }
  }
  return found;
}

}  // namespace

// The library goes on behind what others have taken.
void align_heap() noexcept {
  const std::uintptr_t end = address(static_cast<std::byte*>(::sbrk(0)));
  ::sbrk(static_cast<std::intptr_t>((kHugePage - end % kHugePage) % kHugePage));
}

std::uint64_t move_data_to_huge_pages(std::size_t chunk_bytes) noexcept {
  complete_chunks(chunk_bytes);
  std::vector<std::byte*> left = pages_in_use();
  const std::size_t all = left.size();
  // What the kernel is busy with, as when it moves pages together itself, is asked for again.
  for (int round = 0; round < kRounds && !left.empty(); ++round) {
    std::erase_if(left,
                  [](std::byte* page) { return ::madvise(page, kHugePage, MADV_COLLAPSE) == 0; });
    if (errno == ENOMEM) break;  // it has no huge page left
  }
  return (all - left.size()) * kHugePage;
}

}  // namespace cordon::engine
