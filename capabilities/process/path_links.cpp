#include "capabilities/process/path_links.h"

#include <filesystem>
#include <system_error>

namespace cordon {

namespace {

constexpr std::size_t kMaxLinks = 40;  // as the kernel follows

}  // namespace

std::vector<PathLink> links_towards(const std::string& path) {
  namespace fs = std::filesystem;
  std::vector<PathLink> links;
  fs::path rest = fs::path(path).relative_path();
  fs::path done = "/";
  while (!rest.empty()) {
    const fs::path name = *rest.begin();
    const fs::path after = rest.lexically_relative(name);
    rest = after == "." ? fs::path() : after;
    if (name == "..") {
      done = done.parent_path();
      continue;
    }
    std::error_code error;
    const fs::file_status status = fs::symlink_status(done / name, error);
    if (error || !fs::exists(status)) return {};
    if (!fs::is_symlink(status)) {
      done /= name;
      continue;
    }
    const fs::path target = fs::read_symlink(done / name, error);
    if (error || links.size() == kMaxLinks) return {};
    links.push_back({(done / name).string(), target.string()});
    rest = target.relative_path() / rest;
    if (target.is_absolute()) done = "/";
  }
  return links;
}

}  // namespace cordon
