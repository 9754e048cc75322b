#include "capabilities/write_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "capabilities/confined_file.h"
#include "capabilities/file_access.h"
#include "capabilities/refusal.h"
#include "capabilities/temporary_file.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

// Each returns 0 or an errno.

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

// Who may read the text must not grow by replacing the file.
int copy_ownership(int fd, const ExistingFile& existing) {
  mode_t mode = existing.mode;
  struct stat info {};
  if (::fstat(fd, &info) != 0) return errno;
  const bool same = info.st_uid == existing.owner && info.st_gid == existing.group;
  // Another group gets no more than everybody.
  if (!same && ::fchown(fd, existing.owner, existing.group) != 0 &&
      ::fchown(fd, static_cast<uid_t>(-1), existing.group) != 0)
    mode &= ~static_cast<mode_t>(S_IRWXG) | ((mode & S_IRWXO) << 3);
  return ::fchmod(fd, mode) == 0 ? 0 : errno;
}

int replace(const WriteTarget& target, std::string_view text) {
  constexpr mode_t kNewFileMode = 0644;
  constexpr mode_t kPrivateMode = 0600;
  auto file =
      TemporaryFile::create(target.directory.get(), target.existing ? kPrivateMode : kNewFileMode);
  if (!file) return file.error();
  if (const int error = write_all(file->fd(), text)) return error;
  if (target.existing) {
    if (const int error = copy_ownership(file->fd(), *target.existing)) return error;
  }
  if (::fsync(file->fd()) != 0) return errno;
  return file->rename_to(target.name);
}

}  // namespace

OperationResult<std::uint64_t> write_text(const Authority& authority, std::string_view path,
                                          std::string_view text) {
  constexpr auto kAccess = FileAccess::kWrite;
  auto target = locate_write_target(authority.write_roots(), path);
  if (!target) return target.error();
  std::string repaired;
  if (!is_valid_utf8(text)) text = repaired = to_well_formed_utf8(text);
  if (const auto limit = authority.resources().max_write_bytes; text.size() > limit)
    return byte_limit_refusal(asked(kAccess, path), limit, "resources.maxWriteBytes");
  remove_stale_temporaries(target->directory.get());
  if (const int error = replace(*target, text)) return system_failure(kAccess, path, error);
  return std::uint64_t{text.size()};
}

}  // namespace cordon
