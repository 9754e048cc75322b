#pragma once
// What a command sees of the file system: the plan, from the grant. Nothing is mounted here.
//
// The system's libraries and data, the granted programs with their loaders and interpreters, the
// granted roots, a few devices, and a private scratch directory. Invariant: what can be executed is
// named in `may_execute`, and what can be mapped as code lies in `executable_mounts`.

#include <cstdint>
#include <string>
#include <vector>

#include "capabilities/authority.h"

namespace cordon {

// Where the sandbox's own things are in its view.
inline constexpr const char* kScratchDirectory = "/cordon/scratch";
inline constexpr const char* kLauncherPath = "/cordon/launch";

struct PlacedRoot {
  std::string source;  // in bubblewrap's view
  std::string path;    // in the command's view
  bool writable = false;
};

// What a root's path led to when the view was planned.
struct RootIdentity {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

struct LoaderCopy {
  std::string path;
  std::string image;
};

struct CommandView {
  std::vector<std::string> bubblewrap;  // arguments that build it, but for loaders and launcher
  std::vector<LoaderCopy> loaders;      // files to put over the system's
  std::vector<PlacedRoot> roots;        // for the launcher to put in their places
  std::vector<RootIdentity> granted;    // all roots
  std::vector<std::string> executable_mounts;
  std::vector<std::string> may_execute;
  std::vector<std::string> may_write;
};

struct ViewRequest {
  const SubprocessAuthority& subprocess;
  std::vector<std::string> read_roots;  // canonical
  bool map_owners = false;              // let the launcher place roots, so that it can map owners
};

// The error says what stands in the way. Looks at the file system; may block. Throws
// std::system_error for a shortage (shortage.h).
Result<CommandView, std::string> plan_view(const ViewRequest& request);

}  // namespace cordon
