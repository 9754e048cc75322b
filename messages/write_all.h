#pragma once
// Writing to a descriptor that may take a part at a time, or be non-blocking.

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>

namespace cordon {

// 0 once all of `text` is written, or an errno. What is written is taken off its front. Waits for
// room; a descriptor that takes nothing is full.
inline int write_all(int fd, std::string_view& text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      return ENOSPC;
    } else if (errno == EAGAIN) {
      pollfd room{fd, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace cordon
