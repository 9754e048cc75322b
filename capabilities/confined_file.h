#pragma once
// From a guest's path to a descriptor that is known to be beneath a granted root.
//
// Invariant: what is returned was opened first and checked afterwards; the caller uses that very
// descriptor and no name but the single component that WriteTarget gives. What lies outside the
// roots is refused in the same words whether it exists or not, and no step here reads, writes or
// blocks.

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "capabilities/file_root.h"
#include "capabilities/operation.h"
#include "messages/unique_fd.h"

namespace cordon {

// A regular file, open for reading.
OperationResult<UniqueFd> open_confined_file(const FileRoots& roots, std::string_view path);

struct ExistingFile {
  mode_t mode;  // permission bits only
  uid_t owner;
  gid_t group;
};

struct WriteTarget {
  UniqueFd directory;  // O_PATH
  std::string name;    // one component, neither "." nor ".."
  std::optional<ExistingFile> existing;
};

// Where writing `path` would create or replace a regular file. Nothing has been changed yet.
OperationResult<WriteTarget> locate_write_target(const FileRoots& roots, std::string_view path);

}  // namespace cordon
