#include "capabilities/file_root.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

#include "capabilities/shortage.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

// Opens `name` strictly beneath `directory`, crossing no link of any kind.
UniqueFd open_beneath(int directory, const std::string& name) {
  open_how how{};
  how.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return UniqueFd(
      static_cast<int>(::syscall(SYS_openat2, directory, name.c_str(), &how, sizeof how)));
}

std::optional<std::string> name_problem(const std::string& path) {
  if (path.find('\0') != std::string::npos) return "must not hold NUL";
  if (!path.starts_with('/')) return "must be an absolute path";
  if (!is_valid_utf8(path)) return "must be valid UTF-8";
  return std::nullopt;
}

}  // namespace

bool is_at_or_beneath(std::string_view path, std::string_view root) noexcept {
  if (root == "/") return path.starts_with('/');
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

std::optional<std::string> canonical_path(int fd) {
  std::array<char, PATH_MAX> buffer;
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = ::readlink(link.c_str(), buffer.data(), buffer.size());
  if (length <= 0 || static_cast<std::size_t>(length) == buffer.size()) return std::nullopt;
  // Anything but an absolute path is an object without a place in this mount tree.
  if (buffer[0] != '/') return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(length));
}

bool is_same_object(int a, int b) noexcept {
  struct stat first {};
  struct stat second {};
  return ::fstat(a, &first) == 0 && ::fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

Result<FileRoot, std::string> FileRoot::open(const std::string& path) {
  if (const auto problem = name_problem(path)) return *problem;
  UniqueFd fd(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!fd) {
    throw_shortage(errno, path + " cannot be opened");
    return path + " cannot be opened: " + ::strerrordesc_np(errno) + "; grant what can be";
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)))
    return std::string("must be a directory or a regular file");
  auto canonical = canonical_path(fd.get());
  if (!canonical) return std::string("has no canonical path (is /proc mounted?)");
  if (S_ISDIR(info.st_mode)) return FileRoot(std::move(*canonical), std::move(fd), {});

  const std::size_t slash = canonical->rfind('/');
  const std::string parent = canonical->substr(0, std::max<std::size_t>(slash, 1));
  std::string leaf = canonical->substr(slash + 1);
  UniqueFd directory(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) throw_shortage(errno, parent + " cannot be opened");
  FileRoot root(std::move(*canonical), std::move(directory), std::move(leaf));
  errno = 0;
  if (!root.reopen(fd.get(), root.canonical_)) {
    throw_shortage(errno, root.canonical_ + " cannot be opened");
    return std::string("was replaced while it was opened");
  }
  return root;
}

UniqueFd FileRoot::reopen(int fd, std::string_view canonical) const {
  if (!is_at_or_beneath(canonical, canonical_)) return {};
  std::string name = leaf_;
  if (leaf_.empty()) {
    canonical.remove_prefix(canonical_.size());
    while (canonical.starts_with('/')) canonical.remove_prefix(1);
    name = canonical.empty() ? "." : std::string(canonical);
  }
  UniqueFd found = open_beneath(directory_.get(), name);
  if (!found || !is_same_object(found.get(), fd)) return {};
  return found;
}

bool FileRoot::is_file_in(int directory, std::string_view name) const noexcept {
  return !leaf_.empty() && name == leaf_ && is_same_object(directory, directory_.get());
}

FileRoots::Placement FileRoots::place(int fd) const {
  const auto canonical = canonical_path(fd);
  if (!canonical) return {Position::kOutside, {}};
  Position position = Position::kOutside;
  for (const FileRoot& root : roots_) {
    // A root that is a file keeps its name when a writer replaces it, but the old object is gone.
    if (!is_at_or_beneath(*canonical, root.canonical()) &&
        *canonical != root.canonical() + " (deleted)")
      continue;
    if (UniqueFd found = root.reopen(fd, *canonical)) return {Position::kBeneath, std::move(found)};
    position = Position::kMoved;
  }
  return {position, {}};
}

bool FileRoots::grants_file(int directory, std::string_view name) const noexcept {
  return std::any_of(roots_.begin(), roots_.end(),
                     [&](const FileRoot& root) { return root.is_file_in(directory, name); });
}

bool FileRoots::is_known(std::string_view canonical) const noexcept {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const std::string& path) { return is_at_or_beneath(canonical, path); });
}

bool FileRoots::is_known_or_above(std::string_view canonical) const noexcept {
  return is_known(canonical) ||
         std::any_of(known_.begin(), known_.end(),
                     [&](const std::string& path) { return is_at_or_beneath(path, canonical); });
}

}  // namespace cordon
