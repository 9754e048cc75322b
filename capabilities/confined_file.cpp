#include "capabilities/confined_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "capabilities/file_access.h"
#include "capabilities/kernel_file_systems.h"
#include "capabilities/path_walk.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

// How often a path is resolved anew because what it named was replaced in between.
constexpr int kMaxAttempts = 16;

constexpr std::string_view kNotRegular = "not a regular file";

// Rules about the text alone, so that a refusal says nothing about the file system.
std::optional<std::string_view> broken_rule(std::string_view path) {
  if (path.empty()) return "the path is empty";
  if (path.find('\0') != std::string_view::npos) return "the path holds NUL";
  if (!is_valid_utf8(path)) return "the path is not well-formed text";
  if (!path.starts_with('/')) return "only absolute paths can be";
  if (path.size() >= PATH_MAX) return "the path is too long";
  return std::nullopt;
}

// What was found, before the decision.
struct Located {
  Walk::End end;
  UniqueFd fd;  // verified to be beneath a root; empty: outside
  int error;
};

// `leaf`: the file in the resolved directory that is to be written, which may be a root by itself.
Located resolve(const FileRoots& roots, std::string_view path, std::string_view leaf) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Walk found = walk(path, roots);
    if (found.end == Walk::End::kHostTrouble) return {found.end, {}, found.error};
    if (found.end == Walk::End::kResolved && !leaf.empty() &&
        roots.grants_file(found.deepest.get(), leaf))
      return {found.end, std::move(found.deepest), 0};
    FileRoots::Placement placed = roots.place(found.deepest.get());
    if (placed.position == FileRoots::Position::kMoved) continue;
    return {found.end, std::move(placed.fd), found.error};
  }
  return {Walk::End::kBarred, {}, 0};
}

// The object that `path` names, if it is beneath a root.
OperationResult<UniqueFd> locate(FileAccess access, const FileRoots& roots, std::string_view path,
                                 std::string_view requested, std::string_view leaf = {}) {
  Located located = resolve(roots, path, leaf);
  if (located.end == Walk::End::kHostTrouble)
    return system_failure(access, requested, located.error);
  if (!located.fd) return outside_roots(access, requested);
  if (is_on_kernel_file_system(located.fd.get()))
    return against_rule(access, requested, "nothing on a kernel file system can be");
  if (located.end == Walk::End::kBarred) return outside_roots(access, requested);
  if (located.end == Walk::End::kFailed) return system_failure(access, requested, located.error);
  return std::move(located.fd);
}

// Opens the very object of an O_PATH descriptor; the link under /proc leads to it, not to its name.
UniqueFd open_for_reading(int fd) {
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  return UniqueFd(::open(link.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

OperationResult<std::optional<ExistingFile>> inspect_existing(int directory,
                                                              const std::string& name,
                                                              std::string_view path) {
  struct stat info {};
  if (::fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::optional<ExistingFile>();
    return system_failure(FileAccess::kWrite, path, errno);
  }
  if (S_ISLNK(info.st_mode))
    return against_rule(FileAccess::kWrite, path, "its last part is a symbolic link");
  if (S_ISDIR(info.st_mode)) return system_failure(FileAccess::kWrite, path, EISDIR);
  if (!S_ISREG(info.st_mode)) return other_failure(FileAccess::kWrite, path, kNotRegular);
  // Replacing needs only the directory's permission; a file that says no is still obeyed.
  if (::faccessat(directory, name.c_str(), W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) != 0)
    return system_failure(FileAccess::kWrite, path, errno);
  return std::optional(
      ExistingFile{.mode = info.st_mode & 0777U, .owner = info.st_uid, .group = info.st_gid});
}

}  // namespace

OperationResult<UniqueFd> open_confined_file(const FileRoots& roots, std::string_view path) {
  constexpr auto kAccess = FileAccess::kRead;
  if (const auto rule = broken_rule(path)) return against_rule(kAccess, path, *rule);
  if (roots.empty()) return outside_roots(kAccess, path);
  auto located = locate(kAccess, roots, path, path);
  if (!located) return located;
  struct stat info {};
  if (::fstat(located->get(), &info) != 0) return system_failure(kAccess, path, errno);
  if (S_ISDIR(info.st_mode)) return system_failure(kAccess, path, EISDIR);
  if (!S_ISREG(info.st_mode)) return other_failure(kAccess, path, kNotRegular);
  UniqueFd fd = open_for_reading(located->get());
  if (!fd) return system_failure(kAccess, path, errno);
  return fd;
}

OperationResult<WriteTarget> locate_write_target(const FileRoots& roots, std::string_view path) {
  constexpr auto kAccess = FileAccess::kWrite;
  if (const auto rule = broken_rule(path)) return against_rule(kAccess, path, *rule);
  if (roots.empty()) return outside_roots(kAccess, path);

  const std::size_t slash = path.rfind('/');
  const std::string name(path.substr(slash + 1));
  if (name.empty() || name == "." || name == "..") {
    // Such a path can only name a directory.
    auto located = locate(kAccess, roots, path, path);
    if (!located) return located.error();
    return system_failure(kAccess, path, EISDIR);
  }
  auto directory = locate(kAccess, roots, path.substr(0, slash + 1), path, name);
  if (!directory) return directory.error();
  auto existing = inspect_existing(directory->get(), name, path);
  if (!existing) return existing.error();
  return WriteTarget{std::move(*directory), name, *existing};
}

}  // namespace cordon
