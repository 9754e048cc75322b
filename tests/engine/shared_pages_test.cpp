// What a forked child shares with its zygote: which pages are its own, and where it allocates.

#include <sys/mman.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "engine/dense_heap.h"
#include "engine/touched_pages.h"

using namespace cordon::engine;

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kPages = 16;

// Pages that are there already, as a warm engine's are.
class WrittenPages {
 public:
  WrittenPages()
      : begin_(static_cast<std::byte*>(::mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    REQUIRE(begin_ != MAP_FAILED);
    std::memset(begin_, 1, kPages * kPage);
  }
  WrittenPages(const WrittenPages&) = delete;
  WrittenPages& operator=(const WrittenPages&) = delete;
  ~WrittenPages() { ::munmap(begin_, kPages * kPage); }

  std::byte* page(std::size_t index) const { return begin_ + index * kPage; }
  bool holds(const PageRange& range) const {
    return range.begin >= begin_ && range.begin < page(kPages);
  }

 private:
  std::byte* begin_;
};

}  // namespace

TEST_CASE("the pages that a job writes to are found, and no other between them") {
  const WrittenPages pages;
  std::vector<PageRange> found;
  for (const PageRange& range : find_touched_pages([&] {
         *pages.page(2) = std::byte{2};
         *pages.page(3) = std::byte{1};  // the same value is a write as well
         *pages.page(5) = std::byte{2};
         static_cast<void>(*static_cast<volatile std::byte*>(pages.page(8)));
       })) {
    if (pages.holds(range)) found.push_back(range);
  }
  REQUIRE(found.size() == 2);
  CHECK(found[0].begin == pages.page(2));
  CHECK(found[0].size == 2 * kPage);
  CHECK(found[1].begin == pages.page(5));
  CHECK(found[1].size == kPage);
  CHECK(*pages.page(2) == std::byte{1});  // the job has run elsewhere
}

TEST_CASE("a job that writes nothing touches few pages: looking adds none of its own") {
  const WrittenPages pages;
  std::size_t bytes = 0;
  for (const PageRange& range : find_touched_pages([] {})) {
    CHECK_FALSE(pages.holds(range));
    bytes += range.size;
  }
  CHECK(bytes <= 32 * kPage);  // of its stack, above all
}

TEST_CASE("touching pages leaves what is on them") {
  const WrittenPages pages;
  const std::vector<PageRange> ranges{{pages.page(1), 2 * kPage}, {pages.page(7), kPage}};
  touch(ranges);
  for (std::size_t i = 0; i < kPages; ++i) CHECK(*pages.page(i) == std::byte{1});
}

TEST_CASE("a heap without holes keeps what is in use, and allocates at its end") {
  constexpr std::size_t kBlocks = 200;
  constexpr std::size_t kBlockBytes = 3 * kPage;
  std::vector<std::byte*> blocks(kBlocks);
  for (std::byte*& block : blocks) {
    block = static_cast<std::byte*>(std::malloc(kBlockBytes));
    REQUIRE(block != nullptr);
    std::memset(block, 7, kBlockBytes);
  }
  for (std::size_t i = 0; i < kBlocks; i += 2) std::free(blocks[i]);
  const void* const old_end = ::sbrk(0);
  fill_heap_holes();
  for (std::size_t i = 1; i < kBlocks; i += 2) {
    CHECK(std::all_of(blocks[i], blocks[i] + kBlockBytes,
                      [](std::byte byte) { return byte == std::byte{7}; }));
  }
  void* const next = std::malloc(kBlockBytes);
  CHECK(next >= old_end);
  std::free(next);
  for (std::size_t i = 1; i < kBlocks; i += 2) std::free(blocks[i]);
}
