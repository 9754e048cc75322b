#include "capabilities/read_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "capabilities/confined_file.h"
#include "capabilities/file_access.h"
#include "capabilities/refusal.h"
#include "capabilities/shortage.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

// One reply must hold the text, ill-formed bytes tripled.
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{64} << 20;
constexpr std::size_t kChunkBytes = std::size_t{1} << 16;

}  // namespace

OperationResult<FileText> read_text(const Authority& authority, std::string_view path) {
  constexpr auto kAccess = FileAccess::kRead;
  auto file = open_confined_file(authority.read_roots(), path);
  if (!file) return file.error();
  struct stat info {};
  if (::fstat(file->get(), &info) != 0) return system_failure(kAccess, path, errno);

  const std::uint64_t granted = authority.resources().max_read_bytes;
  const std::uint64_t limit = std::min(granted, kMaxTextBytes);
  const auto over_limit = [&]() -> OperationError {
    if (limit == granted)
      return byte_limit_refusal(asked(kAccess, path), limit, "resources.maxReadBytes");
    return other_failure(kAccess, path, "larger than one reply can hold");
  };
  if (static_cast<std::uint64_t>(info.st_size) > limit) return over_limit();

  // The size is only a hint: files grow, and some file systems report none. One byte beyond the
  // limit is asked for, so that reaching it is noticed.
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(info.st_size) + kChunkBytes);
  if (bytes.capacity() > kMuchBytes) leave_room();
  for (std::size_t size = 0;;) {
    const std::size_t room = std::min<std::size_t>(kChunkBytes, limit + 1 - size);
    bytes.resize(size + room);
    const ssize_t count = ::read(file->get(), bytes.data() + size, room);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure(kAccess, path, errno);
    size += static_cast<std::size_t>(count);
    bytes.resize(size);
    if (count == 0) break;
    if (size > limit) return over_limit();
  }
  const std::uint64_t size = bytes.size();
  FileText text{.text = decode_text(bytes), .bytes = size};
  if (size > kMuchBytes) leave_room();
  return text;
}

}  // namespace cordon
