#pragma once
// For as long as a caller's thread spawns or asks actors.
//
// CAF leaves in such a thread a reference to the system's logger, and a system's destructor waits
// until there is none: one thread of a pool that had made a call would keep a runtime from ever
// ending. Invariant: the thread holds nothing of the system afterwards.

#include <caf/logger.hpp>

namespace cordon {

class BorrowedThread {
 public:
  BorrowedThread() = default;
  ~BorrowedThread() { caf::logger::set_current_actor_system(nullptr); }
  BorrowedThread(const BorrowedThread&) = delete;
  BorrowedThread& operator=(const BorrowedThread&) = delete;
};

}  // namespace cordon
