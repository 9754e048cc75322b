#include "capabilities/option_checks.h"

#include <cordon/options.h>

namespace cordon {

std::string element(const std::string& field, std::size_t index) {
  return field + "[" + std::to_string(index) + "]";
}

void require_limit(const std::string& field, std::uint64_t value, std::uint64_t least,
                   std::uint64_t most) {
  if (value < least || value > most)
    throw InvalidOption(field, "must be a whole number from " + std::to_string(least) + " to " +
                                   std::to_string(most));
}

FileRoot open_root(const std::string& field, const std::string& path) {
  auto root = FileRoot::open(path);
  if (!root) throw InvalidOption(field, root.error());
  return std::move(*root);
}

std::vector<FileRoot> open_roots(const std::string& field, const std::vector<std::string>& paths) {
  std::vector<FileRoot> roots;
  for (std::size_t at = 0; at < paths.size(); ++at)
    roots.push_back(open_root(element(field, at), paths[at]));
  return roots;
}

std::vector<std::string> canonical_paths(const std::vector<FileRoot>& roots) {
  std::vector<std::string> paths;
  for (const FileRoot& root : roots) paths.push_back(root.canonical());
  return paths;
}

}  // namespace cordon
