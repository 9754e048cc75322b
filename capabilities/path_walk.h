#pragma once
// Resolves a guest's path one component at a time, with descriptors that can neither read nor
// block.
//
// The kernel's own resolution would do for a path that resolves. For one that does not, the walk
// also knows how far it came: the deepest component that resolves decides whether the guest may
// learn why it failed.

#include <cstdint>
#include <string_view>

#include "capabilities/file_root.h"
#include "messages/unique_fd.h"

namespace cordon {

struct Walk {
  enum class End : std::uint8_t {
    kResolved,     // `deepest` is what the path names
    kFailed,       // `error` says why the component after `deepest` does not resolve
    kBarred,       // a link into a kernel file system, or a step that would probe the outside
    kHostTrouble,  // `error`: this process is short of descriptors or memory; says nothing of the
                   // path
  };
  End end;
  UniqueFd deepest;  // O_PATH
  int error = 0;
};

// `path` is absolute and without NUL. Links are followed wherever they lead, the last one included,
// but never through procfs or another kernel file system. The caller checks where the walk ended.
//
// ".." works as in the kernel, except that a guest may not use it to leave a directory it knows
// nothing of: "/outside/../granted/file" would tell whether /outside exists. A link that is itself
// outside every known path may: the guest cannot have made it.
Walk walk(std::string_view path, const FileRoots& roots);

}  // namespace cordon
