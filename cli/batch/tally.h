#pragma once
// What a batch came to: counts, times and pass rates, in bounded memory but for the tasks' names.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/batch/result.h"
#include "cli/batch/verdict.h"

namespace cordon::batch {

class Tally {
 public:
  static constexpr std::size_t kBuckets = 140;  // of the histogram, 20 a decade from 0.1 ms on
  static constexpr std::size_t kMaxSlowest = 20;
  static constexpr std::size_t kMaxUnsuccessful = 500;

  void add(const PastResult& result);

  std::uint64_t total() const noexcept { return total_; }
  std::uint64_t count(Verdict verdict) const noexcept {
    return counts_[static_cast<std::size_t>(verdict)];
  }
  // Of all answers but those that are this host's fault, in percent; 100 when there are none.
  double pass_percent() const noexcept;

  // The chance that at least one of k completions of a task is right, estimated without bias from
  // the n that there are (n >= k), as the mean over tasks, in percent. Empty without tasks.
  struct PassAt {
    std::uint64_t k = 1;
    std::uint64_t tasks = 0;  // with at least k completions
    double percent = 0;
  };
  std::vector<PassAt> pass_at() const;
  std::size_t tasks() const noexcept { return tasks_.size(); }

  // Wall time of what ran.
  double quantile_ms(double fraction) const noexcept;
  const std::array<std::uint64_t, kBuckets>& histogram() const noexcept { return histogram_; }
  static double bucket_end_ms(std::size_t bucket) noexcept;

  const std::vector<PastResult>& slowest() const noexcept { return slowest_; }
  // The first that did not pass, in order.
  const std::vector<PastResult>& unsuccessful() const noexcept { return unsuccessful_; }

 private:
  struct Task {
    std::uint64_t judged = 0;
    std::uint64_t passed = 0;
  };

  std::uint64_t total_ = 0;
  std::array<std::uint64_t, kVerdicts.size()> counts_{};
  std::map<std::string, Task> tasks_;
  std::array<std::uint64_t, kBuckets> histogram_{};
  std::vector<PastResult> slowest_;
  std::vector<PastResult> unsuccessful_;
};

}  // namespace cordon::batch
