#include "cli/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "cli/terminal_text.h"

namespace cordon {
namespace {

UsageError system_error(int code) { return {std::generic_category().message(code)}; }

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

}  // namespace

Result<std::string, UsageError> read_text(const UniqueFd& descriptor, TextLimit limit) {
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) return system_error(errno);
  if (S_ISDIR(status.st_mode)) return system_error(EISDIR);

  std::string text;
  while (text.size() <= limit.bytes) {
    const std::size_t have = text.size();
    text.resize(have + std::min<std::uint64_t>(kChunkBytes, limit.bytes + 1 - have));
    const ssize_t got = ::read(descriptor.get(), text.data() + have, text.size() - have);
    const int error = errno;
    text.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) break;
    if (got < 0 && error != EINTR) return system_error(error);
  }
  if (text.size() > limit.bytes) {
    const std::string bytes = std::to_string(limit.bytes);
    if (limit.flag.empty()) return UsageError{"larger than ", bytes, " bytes"};
    return UsageError{"larger than ", bytes, " bytes; see ", limit.flag};
  }
  if (!is_utf8(text)) return UsageError{"not UTF-8 text"};
  return text;
}

Result<std::string, UsageError> read_text_file(const std::filesystem::path& path, TextLimit limit) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file) return system_error(errno);
  return read_text(file, limit);
}

}  // namespace cordon
