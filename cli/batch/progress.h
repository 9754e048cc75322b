#pragma once
// How far a batch is, on standard error: a bar that is drawn again in place on a terminal, a line
// every few seconds elsewhere. And the table at the end.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "cli/batch/tally.h"

namespace cordon::batch {

class Progress {
 public:
  enum class Mode : std::uint8_t { kQuiet, kLines, kBar };
  struct Look {
    Mode mode = Mode::kQuiet;
    bool colour = false;
    // Of the terminal, NO_COLOR and --quiet.
    static Look of_standard_error(bool quiet);
  };

  // `total_bytes` of input, 0 when unknown. `past`: results of an earlier run, already counted.
  Progress(Look look, std::uint64_t total_bytes, std::uint64_t past)
      : look_(look), total_bytes_(total_bytes), past_(past) {}

  // Input that is done with. From any thread.
  void done(std::uint64_t bytes) noexcept { done_bytes_ += bytes; }
  // Shows what is new, if it is time to.
  void tick(const Tally& tally);
  // Takes the bar away, and prints the summary unless quiet.
  void finish(const Tally& tally, bool interrupted);

 private:
  using Clock = std::chrono::steady_clock;
  std::string bar(const Tally& tally) const;

  const Look look_;
  const std::uint64_t total_bytes_;
  const std::uint64_t past_;
  std::atomic<std::uint64_t> done_bytes_{0};
  const Clock::time_point started_ = Clock::now();
  Clock::time_point shown_ = started_;
};

// The table: a line per verdict that occurred, times, pass@k. `fresh` answers took `seconds`.
std::string summary_table(const Tally& tally, std::uint64_t fresh, double seconds, bool colour);

}  // namespace cordon::batch
