#pragma once
// Where work is done that may block.

#include <functional>

namespace cordon {

// Never runs it on the calling thread. Throws std::system_error, and runs nothing, when the host
// has no thread for it.
class BlockingExecutor {
 public:
  virtual ~BlockingExecutor() = default;
  virtual void run(std::function<void()> work) = 0;
};

}  // namespace cordon
