#pragma once
// `cordon batch -` as another program drives it: lines go in while answers come out.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "messages/unique_fd.h"

namespace cordon::test {

// Kills the command when it goes away before the command has ended.
class Interactive {
 public:
  explicit Interactive(const std::vector<std::string>& arguments);
  ~Interactive();
  Interactive(const Interactive&) = delete;
  Interactive& operator=(const Interactive&) = delete;

  // Blocks while the command does not read. False when it reads no more.
  bool write(std::string_view text);
  void close_input() { input_.reset(); }
  // Blocks for the next line; nothing at the end.
  std::optional<std::string> read_line();
  pid_t pid() const noexcept { return pid_; }
  // Exit code, or 128 + the signal.
  int wait();

 private:
  pid_t pid_ = -1;
  UniqueFd input_, output_;
  std::string buffer_;
};

}  // namespace cordon::test
