#pragma once
// A granted file or directory, held open since its validation.
//
// Invariant: whether something is beneath a root is decided by opening it again from the root's own
// descriptor, without following any link, and finding the same object. Names only say where to
// look. So nothing that renames, replaces or unmounts in the meantime can put an outside object
// inside.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

// Whether canonical `path` is `root` or lies beneath it, by name.
bool is_at_or_beneath(std::string_view path, std::string_view root) noexcept;

// Where the kernel says that an open file is now; none when that is beyond our view of the system.
// What has been deleted meanwhile has " (deleted)" at the end.
std::optional<std::string> canonical_path(int fd);

bool is_same_object(int a, int b) noexcept;

class FileRoot {
 public:
  // `path` must be absolute and name an existing directory or regular file; links in it are
  // resolved now, once. The error says what is wrong, for an InvalidOption. Throws
  // std::system_error for a shortage (shortage.h).
  static Result<FileRoot, std::string> open(const std::string& path);

  const std::string& canonical() const noexcept { return canonical_; }

  // The object of `fd`, opened (O_PATH) anew from this root by its name `canonical`; empty when it
  // is not, or no longer, beneath this root.
  UniqueFd reopen(int fd, std::string_view canonical) const;

  // Whether this root is the single file `name` of the directory `directory`.
  bool is_file_in(int directory, std::string_view name) const noexcept;

 private:
  FileRoot(std::string canonical, UniqueFd directory, std::string leaf)
      : canonical_(std::move(canonical)),
        directory_(std::move(directory)),
        leaf_(std::move(leaf)) {}

  std::string canonical_;
  UniqueFd
      directory_;     // the root, or the directory of a root that is a file: writing replaces files
  std::string leaf_;  // that file's name; empty for a directory
};

// The roots of one grant.
class FileRoots {
 public:
  enum class Position : std::uint8_t { kOutside, kBeneath, kMoved };
  struct Placement {
    Position position;
    UniqueFd fd;  // kBeneath: the same object, reached from the root
  };

  FileRoots() = default;
  // `known`: the canonical roots of all grants, beneath which the guest may learn what exists.
  FileRoots(std::vector<FileRoot> roots, std::vector<std::string> known)
      : roots_(std::move(roots)), known_(std::move(known)) {}

  bool empty() const noexcept { return roots_.empty(); }
  const std::vector<FileRoot>& all() const noexcept { return roots_; }

  // kMoved: it was beneath a root by name, but could not be found there. Resolve again.
  Placement place(int fd) const;

  // Whether `name` in `directory` is a root itself.
  bool grants_file(int directory, std::string_view name) const noexcept;

  // Whether the guest may know that this directory exists: at or beneath a known path.
  bool is_known(std::string_view canonical) const noexcept;
  // Or one that leads to a known path.
  bool is_known_or_above(std::string_view canonical) const noexcept;

 private:
  std::vector<FileRoot> roots_;
  std::vector<std::string> known_;
};

}  // namespace cordon
