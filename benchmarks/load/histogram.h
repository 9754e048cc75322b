#pragma once
// Samples in buckets whose width grows with their value, as in HdrHistogram: memory stays bounded
// however long a run is, and every quantile is right to three digits.
//
// Invariant: a quantile differs from the sample of that rank by at most kRelativeError of it. What
// is below 2^-21 counts as the smallest sample, what is beyond 2^43 as just that. Count, mean,
// smallest and largest are exact.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/load/statistics.h"

namespace cordon::load {

class Histogram {
 public:
  // 0.05 %: half of a bucket's width, of which 1,024 make up each power of two.
  static constexpr double kRelativeError = 1.0 / 2048;

  // Throws std::invalid_argument for what is negative or no finite number.
  void record(double sample);
  void merge(const Histogram& other);

  std::uint64_t count() const noexcept { return count_; }
  // The smallest sample that at least `share` of the samples do not exceed (nearest rank), within
  // the error above. `share` is above 0 and at most 1, and there is a sample; throws
  // std::invalid_argument otherwise.
  double quantile(double share) const;
  Summary summary() const;  // all 0 when there is no sample

 private:
  void count(double sample);

  static constexpr int kOctaves = 64;
  static constexpr int kBuckets = 1024;    // of one octave
  static constexpr int kLeastPower = -20;  // the first octave ends at 2 to this

  // By power of two; those that hold nothing are empty.
  std::array<std::vector<std::uint64_t>, kOctaves> octaves_;
  std::uint64_t tiny_ = 0;  // below the first octave
  std::uint64_t count_ = 0;
  double sum_ = 0;
  double min_ = 0;
  double max_ = 0;
};

}  // namespace cordon::load
