#include "capabilities/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>

namespace cordon {

namespace {

constexpr std::string_view kPrefix = ".cordon-";
constexpr std::string_view kSuffix = ".tmp";
constexpr std::size_t kHexDigits = 16;
constexpr int kMaxAttempts = 16;
constexpr int kMaxScannedEntries = 10'000;

std::string random_name() {
  std::uint64_t number = 0;
  // Uniqueness is settled by O_EXCL; a failure here only costs attempts.
  if (::getrandom(&number, sizeof number, 0) < 0) number = 0;
  char digits[kHexDigits + 1];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, number);
  return std::string(kPrefix) + digits + std::string(kSuffix);
}

bool is_temporary_name(std::string_view name) noexcept {
  if (name.size() != kPrefix.size() + kHexDigits + kSuffix.size() || !name.starts_with(kPrefix) ||
      !name.ends_with(kSuffix))
    return false;
  name = name.substr(kPrefix.size(), kHexDigits);
  return name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Locks a fresh temporary. False when a cleaner was faster, and has removed or is about to remove
// it.
bool claim(int fd) noexcept {
  struct stat info {};
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  // A file system without locks leaves no temporary that a cleaner could lock either.
  return ::fstat(fd, &info) == 0 && info.st_nlink != 0;
}

void remove_if_stale(int directory, const char* name) noexcept {
  const UniqueFd file(::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat opened {};
  struct stat named {};
  if (!file || ::fstat(file.get(), &opened) != 0 || !S_ISREG(opened.st_mode) ||
      opened.st_uid != ::geteuid() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return;
  // With the lock held, no writer will rename it; look once more that the name still means it.
  if (::fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
      named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
    static_cast<void>(::unlinkat(directory, name, 0));
}

}  // namespace

Result<TemporaryFile, int> TemporaryFile::create(int directory, mode_t mode) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string name = random_name();
    UniqueFd fd(::openat(directory, name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!fd && errno == EEXIST) continue;
    if (!fd) return errno;
    if (claim(fd.get())) return TemporaryFile(directory, std::move(name), std::move(fd));
  }
  return EEXIST;
}

TemporaryFile::~TemporaryFile() {
  if (fd_) static_cast<void>(::unlinkat(directory_, name_.c_str(), 0));
}

int TemporaryFile::rename_to(const std::string& name) {
  if (::renameat(directory_, name_.c_str(), directory_, name.c_str()) != 0) return errno;
  fd_.reset();
  return 0;
}

void remove_stale_temporaries(int directory) {
  UniqueFd listing(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listing) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(listing.get()), &::closedir);
  if (!entries) return;
  static_cast<void>(listing.release());  // now the stream's
  for (int count = 0; count < kMaxScannedEntries; ++count) {
    const dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) return;
    if (is_temporary_name(entry->d_name)) remove_if_stale(directory, entry->d_name);
  }
}

}  // namespace cordon
