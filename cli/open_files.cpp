#include "cli/open_files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace cordon {

void allow_many_open_files() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

bool take_standard_streams() noexcept {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open("/dev/null", O_RDONLY) != stream) return false;  // the lowest that is free
  }
  return true;
}

}  // namespace cordon
