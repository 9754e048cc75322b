#include "capabilities/path_walk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capabilities/kernel_file_systems.h"
#include "capabilities/shortage.h"

namespace cordon {

namespace {

constexpr int kMaxLinks = 40;      // as the kernel
constexpr int kMaxSteps = 10'000;  // links may multiply a path; this bounds the work

struct Component {
  std::string name;
  bool guarded;  // chosen by the guest, or by a link that it may have made
};

// Pushes the components of `path` so that the first is on top. A slash at the end asks for a
// directory, as "." does.
void push_components(std::vector<Component>& stack, std::string_view path, bool guarded) {
  if (path.ends_with('/')) stack.push_back({".", guarded});
  while (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    const std::size_t start = slash == std::string_view::npos ? 0 : slash + 1;
    if (start != path.size()) stack.push_back({std::string(path.substr(start)), guarded});
    path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
}

UniqueFd open_at(int directory, const char* name) {
  return UniqueFd(::openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
}

std::optional<std::string> link_target(int link) {
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = ::readlinkat(link, "", buffer.data(), buffer.size());
  if (length <= 0 || static_cast<std::size_t>(length) == buffer.size()) return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(length));
}

class Walker {
 public:
  Walker(std::string_view path, const FileRoots& roots) : roots_(roots) {
    push_components(pending_, path, true);
  }

  Walk run() {
    current_ = open_at(AT_FDCWD, "/");
    if (!current_) return {Walk::End::kHostTrouble, {}, errno};
    for (int steps = 0; !pending_.empty(); ++steps) {
      if (steps == kMaxSteps) return end(Walk::End::kFailed, ELOOP);
      const Component next = std::move(pending_.back());
      pending_.pop_back();
      if (const auto ended = step(next)) return end(ended->first, ended->second);
    }
    return end(Walk::End::kResolved, 0);
  }

 private:
  using Ended = std::optional<std::pair<Walk::End, int>>;

  Walk end(Walk::End how, int error) { return {how, std::move(current_), error}; }

  static Ended failed(int error) {
    return std::pair(is_shortage(error) ? Walk::End::kHostTrouble : Walk::End::kFailed, error);
  }

  Ended step(const Component& component) {
    if (component.guarded && component.name == ".." && !may_leave_current())
      return std::pair(Walk::End::kBarred, 0);
    UniqueFd next = open_at(current_.get(), component.name.c_str());
    if (!next) return failed(errno);
    struct stat info {};
    if (::fstat(next.get(), &info) != 0) return failed(errno);
    if (S_ISLNK(info.st_mode)) return follow(next.get());
    current_ = std::move(next);
    return std::nullopt;
  }

  Ended follow(int link) {
    // Links on procfs may be magic: they lead to an object, not to a name.
    if (is_on_kernel_file_system(link)) return std::pair(Walk::End::kBarred, 0);
    if (++links_ > kMaxLinks) return failed(ELOOP);
    const auto target = link_target(link);
    if (!target) return failed(ENAMETOOLONG);
    const auto place = canonical_path(current_.get());
    const bool guarded = !place || roots_.is_known(*place);
    if (target->starts_with('/')) {
      UniqueFd top = open_at(AT_FDCWD, "/");
      if (!top) return failed(errno);
      current_ = std::move(top);
    }
    push_components(pending_, *target, guarded);
    return std::nullopt;
  }

  bool may_leave_current() const {
    const auto place = canonical_path(current_.get());
    return place && roots_.is_known_or_above(*place);
  }

  const FileRoots& roots_;
  std::vector<Component> pending_;
  UniqueFd current_;
  int links_ = 0;
};

}  // namespace

Walk walk(std::string_view path, const FileRoots& roots) { return Walker(path, roots).run(); }

}  // namespace cordon
