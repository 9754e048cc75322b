#pragma once
// Jobs from lines, one ahead of those that run.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>

#include "cli/batch/job_feed.h"
#include "cli/batch/line_reader.h"

namespace cordon::batch {

// A line that makes work, in order.
struct Arrival {
  std::variant<Job, InvalidJob> what;
  std::chrono::steady_clock::time_point at;  // when it had been read
};

class JobReader {
 public:
  // `left_out` is told of the bytes of lines that make no work. `feed` must outlive this.
  using LeftOut = std::function<void(std::uint64_t bytes)>;
  JobReader(UniqueFd input, JobFeed& feed, LeftOut left_out)
      : reader_(std::move(input)), feed_(feed), left_out_(std::move(left_out)) {}

  // Of the lines that were read already.
  std::optional<Arrival> next();
  // So that the next one is there when it is wanted.
  void prepare_next();

  // What to wait for before fill(); -1 while there is a next one, and when there will be none.
  int descriptor() const;
  // Reads once more, as LineReader does.
  void fill();

  // No more is wanted.
  void stop();
  bool has_next() const noexcept { return next_.has_value(); }
  // After prepare_next(): there will be no next one.
  bool ended() const { return !next_ && (stopped_ || reader_.ended()); }
  // Why reading failed; 0 when it did not.
  int error() const noexcept { return reader_.error(); }

 private:
  LineReader reader_;
  JobFeed& feed_;
  const LeftOut left_out_;
  std::optional<Arrival> next_;
  bool stopped_ = false;
};

}  // namespace cordon::batch
