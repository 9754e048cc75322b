#pragma once
// The symbolic links that lead from a path to the file it names, for building them anew elsewhere.

#include <string>
#include <vector>

namespace cordon {

struct PathLink {
  std::string path;    // the link itself; every directory above it is none
  std::string target;  // its text
};

// In the order in which they are met. Empty when `path` leads nowhere.
std::vector<PathLink> links_towards(const std::string& path);

}  // namespace cordon
