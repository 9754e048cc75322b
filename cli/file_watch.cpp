#include "cli/file_watch.h"

#include <sys/inotify.h>

#include <array>
#include <cerrno>

namespace cordon {

FileWatch::FileWatch(const std::filesystem::path& path) : events_(::inotify_init1(IN_CLOEXEC)) {
  const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  watching_ = events_ && ::inotify_add_watch(events_.get(), parent.c_str(),
                                             IN_MODIFY | IN_CREATE | IN_MOVED_TO) >= 0;
}

bool FileWatch::wait() {
  if (!watching_) return false;
  // What happened does not matter: the file tells.
  std::array<char, 4096> ignored{};
  ssize_t count = 0;
  do {
    count = ::read(events_.get(), ignored.data(), ignored.size());
  } while (count < 0 && errno == EINTR);
  return count > 0;
}

}  // namespace cordon
