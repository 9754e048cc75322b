#include "engine/huge_text.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "messages/unique_fd.h"
#include "messages/whole_pages.h"

namespace cordon::engine {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::string_view kEngineLibrary = "libmozjs";

// `found`: a span. Only whole huge pages of it: the rest of the segment keeps its own pages.
int find_engine_text(dl_phdr_info* object, std::size_t, void* found) {
  if (std::string_view(object->dlpi_name).find(kEngineLibrary) == std::string_view::npos) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& header = object->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || header.p_flags != (PF_R | PF_X)) continue;
    auto* const begin = reinterpret_cast<std::byte*>(object->dlpi_addr + header.p_vaddr);
    *static_cast<std::span<std::byte>*>(found) = whole_pages({begin, header.p_memsz}, kHugePage);
  }
  return 1;
}

// A file of a file system that gives huge pages and is mounted nowhere; -1 where there is none.
UniqueFd open_file_of_huge_pages() {
  const UniqueFd context(::fsopen("tmpfs", FSOPEN_CLOEXEC));
  if (!context || ::fsconfig(context.get(), FSCONFIG_SET_STRING, "huge", "always", 0) != 0 ||
      ::fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return UniqueFd();
  }
  const UniqueFd root(
      ::fsmount(context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
  if (!root) return UniqueFd();
  return UniqueFd(::openat(root.get(), ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
}

bool copy_into(int file, std::span<const std::byte> text) {
  rlimit limit{};  // the kernel kills who makes a file larger than that
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < text.size()) return false;
  if (::ftruncate(file, static_cast<off_t>(text.size())) != 0) return false;
  void* const copy = ::mmap(nullptr, text.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (copy == MAP_FAILED) return false;
  std::memcpy(copy, text.data(), text.size());
  return ::munmap(copy, text.size()) == 0;
}

// What the process has mapped of such files by huge pages.
std::uint64_t huge_mapped_bytes() {
  std::ifstream maps("/proc/self/smaps");
  std::uint64_t bytes = 0;
  for (std::string word; maps >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "ShmemPmdMapped:" && maps >> kilobytes) bytes += kilobytes << 10;
  }
  return bytes;
}

}  // namespace

std::uint64_t move_engine_text_to_huge_pages() noexcept {
  std::span<std::byte> text;
  ::dl_iterate_phdr(find_engine_text, &text);
  if (text.empty()) return 0;
  const UniqueFd file = open_file_of_huge_pages();
  if (!file || !copy_into(file.get(), text)) return 0;
  // In one step, so that there is no moment without the code.
  if (::mmap(text.data(), text.size(), PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file.get(),
             0) != text.data()) {
    return 0;
  }
  for (std::size_t at = 0; at < text.size(); at += kHugePage) {
    static_cast<void>(*static_cast<const volatile std::byte*>(text.data() + at));
  }
  return huge_mapped_bytes();
}

}  // namespace cordon::engine
