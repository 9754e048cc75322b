#pragma once
// What other threads tell the batch's one: runs that ended, and the wish to stop.

#include <cordon/program.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "messages/unique_fd.h"

namespace cordon::batch {

struct Ending {
  std::uint64_t flight = 0;  // which run
  CallAnswer answer;
};

// Thread-safe.
class Mailbox {
 public:
  // Throws std::system_error when there is no descriptor to be had.
  Mailbox();

  void deliver(Ending ending);
  // No more input is wanted; what runs is waited for.
  void drain();

  struct News {
    std::vector<Ending> endings;
    bool draining = false;
  };
  News take();
  // Readable when there is news that was not taken.
  int descriptor() const noexcept { return bell_.get(); }

 private:
  void ring();

  const UniqueFd bell_;  // an eventfd
  std::mutex mutex_;
  News news_;
};

}  // namespace cordon::batch
