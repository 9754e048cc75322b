#pragma once
// Where the batch's one deciding thread hears of everything: jobs that were read, runs that ended,
// and the wish to stop. The only thing that its threads share.

#include <cordon/program.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <variant>
#include <vector>

#include "cli/batch/job.h"

namespace cordon::batch {

// A line that was read, in order.
struct Arrival {
  std::variant<Job, InvalidJob> what;
  std::chrono::steady_clock::time_point at;
};

struct Ending {
  std::uint64_t flight = 0;  // which run
  CallAnswer answer;
};

// Thread-safe.
class Mailbox {
 public:
  // Both bound how far reading may run ahead.
  static constexpr std::size_t kMaxArrivals = 256;
  static constexpr std::uint64_t kMaxArrivalBytes = std::uint64_t{32} << 20;

  // Blocks while too much waits; false when no more is wanted.
  bool deliver(Arrival arrival);
  void end_of_input();
  void deliver(Ending ending);
  // No more input is wanted; what runs is waited for.
  void drain();

  struct News {
    std::vector<Ending> endings;
    std::vector<Arrival> arrivals;
    bool input_ended = false;  // and nothing of it is left
    bool draining = false;
  };
  // Waits for an ending, or for an arrival if `room` is not zero, or for the end of the input, at
  // most until `deadline`. Takes at most `room` arrivals.
  News wait(std::size_t room, std::chrono::steady_clock::time_point deadline);

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::condition_variable space_;
  std::deque<Arrival> arrivals_;
  std::uint64_t arrival_bytes_ = 0;
  std::vector<Ending> endings_;
  bool input_ended_ = false;
  bool draining_ = false;
  bool told_ = false;  // the end of the input, once
};

}  // namespace cordon::batch
