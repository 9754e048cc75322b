#include "engine/touched_pages.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "messages/populate.h"
#include "messages/unique_fd.h"

namespace cordon::engine {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMaxRanges = 1024;
// Of pagemap's entries: the page is there, and nobody else has it mapped.
constexpr std::uint64_t kOwnPage = (std::uint64_t{1} << 63) | (std::uint64_t{1} << 56);

// Writes one range to `answer` for each run of pages that the process does not share.
bool send_own_pages(int answer, int pagemap, const PageRange& mapping) {
  std::array<std::uint64_t, 512> entries;
  PageRange run;
  const auto send_run = [&] {
    return run.size == 0 || ::write(answer, &run, sizeof run) == sizeof run;
  };
  const std::size_t pages = mapping.size / kPage;
  for (std::size_t first = 0; first < pages; first += entries.size()) {
    std::byte* const begin = mapping.begin + first * kPage;
    const std::size_t count = std::min(entries.size(), pages - first);
    const auto offset = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(begin) / kPage * 8);
    const auto size = static_cast<ssize_t>(count * 8);
    if (::pread(pagemap, entries.data(), count * 8, offset) != size) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if ((entries[i] & kOwnPage) != kOwnPage) continue;
      std::byte* const page = begin + i * kPage;
      if (run.begin + run.size != page) {
        if (!send_run()) return false;
        run = {page, 0};
      }
      run.size += kPage;
    }
  }
  return send_run();
}

// After a fork the parent's pages are shared until one of the two writes to them. Nothing here
// allocates: that would count as well.
[[noreturn]] void probe(int answer, const std::function<void()>& job,
                        std::span<const PageRange> mappings) {
  job();
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // else its own pagemap belongs to root
  const int pagemap = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  for (const PageRange& mapping : mappings) {
    if (!send_own_pages(answer, pagemap, mapping)) ::_exit(1);
  }
  ::_exit(0);
}

void read_ranges(int from, std::vector<PageRange>& ranges) {
  for (PageRange range; ::read(from, &range, sizeof range) == sizeof range;) {
    if (ranges.size() < kMaxRanges) ranges.push_back(range);
  }
}

}  // namespace

std::vector<PageRange> find_touched_pages(const std::function<void()>& job) {
  // Made first: the heap must look to the probe as it will to a child.
  std::vector<PageRange> ranges;
  ranges.reserve(kMaxRanges);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const std::vector<PageRange> mappings = writable_memory();
  // As children are made: the library's fork() writes to pages of its own.
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
  if (pid < 0) return {};
  if (pid == 0) probe(write_end.get(), job, mappings);
  write_end.reset();
  read_ranges(read_end.get(), ranges);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return {};
  return ranges;
}

void touch(std::span<const PageRange> ranges) noexcept {
  for (const PageRange& range : ranges) {
    populate({range.begin, range.size});
  }
}

}  // namespace cordon::engine
