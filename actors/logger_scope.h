#pragma once
// Around whatever spawns an actor on a thread that is not CAF's.
//
// CAF leaves a reference to a system's logger in every such thread, until the thread ends, and the
// system's destructor waits until the last one is gone. A runtime must not wait for the threads
// that have used it.

#include <caf/logger.hpp>

namespace cordon {

class LoggerScope {
 public:
  LoggerScope() = default;
  ~LoggerScope() {
    if (caf::logger::current_logger() != before_) caf::logger::set_current_actor_system(nullptr);
  }
  LoggerScope(const LoggerScope&) = delete;
  LoggerScope& operator=(const LoggerScope&) = delete;

 private:
  const caf::logger* const before_ = caf::logger::current_logger();  // only compared
};

}  // namespace cordon
