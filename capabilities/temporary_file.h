#pragma once
// The new content of a file before it takes the old one's place.
//
// A temporary is named ".cordon-<16 hex digits>.tmp" and locked (flock) for as long as its writer
// lives. So one whose lock can be had was left behind by a writer that died, and may be removed:
// no process id that could be reused, no clock.

#include <sys/types.h>

#include <string>

#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

// Removes itself unless it was renamed. Not thread-safe.
class TemporaryFile {
 public:
  // In `directory` (O_PATH will do), which must outlive it. `mode` is subject to the umask. The
  // error is an errno.
  static Result<TemporaryFile, int> create(int directory, mode_t mode);

  TemporaryFile(TemporaryFile&& other) noexcept = default;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  int fd() const noexcept { return fd_.get(); }

  // Takes the place of `name` in the same directory. Returns 0 or an errno.
  [[nodiscard]] int rename_to(const std::string& name);

 private:
  TemporaryFile(int directory, std::string name, UniqueFd fd)
      : directory_(directory), name_(std::move(name)), fd_(std::move(fd)) {}

  int directory_;
  std::string name_;
  UniqueFd fd_;  // empty: moved from, or renamed
};

// Removes what dead writers left in `directory`. Looks at a bounded number of entries and leaves
// alone whatever it cannot judge.
void remove_stale_temporaries(int directory);

}  // namespace cordon
