#include "benchmarks/load/histogram.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace cordon::load {

void Histogram::count(double sample) {
  int power = 0;
  const double mantissa = std::frexp(sample, &power);  // from 0.5 to 1, or 0
  int octave = power - kLeastPower;
  int bucket = static_cast<int>((mantissa - 0.5) * 2 * kBuckets);
  if (sample == 0 || octave < 0) {
    ++tiny_;
    return;
  }
  if (octave >= kOctaves) {
    octave = kOctaves - 1;
    bucket = kBuckets - 1;
  }
  auto& counts = octaves_[static_cast<std::size_t>(octave)];
  if (counts.empty()) counts.resize(kBuckets);
  ++counts[static_cast<std::size_t>(bucket)];
}

void Histogram::record(double sample) {
  if (!std::isfinite(sample) || sample < 0) {
    throw std::invalid_argument("a sample must be a finite number from 0");
  }
  count(sample);
  min_ = count_ == 0 ? sample : std::min(min_, sample);
  max_ = std::max(max_, sample);
  sum_ += sample;
  ++count_;
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  for (std::size_t i = 0; i < octaves_.size(); ++i) {
    if (other.octaves_[i].empty()) continue;
    octaves_[i].resize(kBuckets);
    std::transform(octaves_[i].begin(), octaves_[i].end(), other.octaves_[i].begin(),
                   octaves_[i].begin(), std::plus<>());
  }
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
  tiny_ += other.tiny_;
  count_ += other.count_;
}

double Histogram::quantile(double share) const {
  const std::uint64_t rank = nearest_rank(count_, share);
  if (rank == 1 || rank <= tiny_) return min_;
  if (rank == count_) return max_;
  std::uint64_t seen = tiny_;
  for (int octave = 0; octave < kOctaves; ++octave) {
    const auto& counts = octaves_[static_cast<std::size_t>(octave)];
    for (std::size_t bucket = 0; bucket < counts.size(); ++bucket) {
      seen += counts[bucket];
      if (seen < rank) continue;
      const double mantissa = 0.5 + (static_cast<double>(bucket) + 0.5) / (2.0 * kBuckets);
      return std::clamp(std::ldexp(mantissa, octave + kLeastPower), min_, max_);
    }
  }
  return max_;
}

Summary Histogram::summary() const {
  if (count_ == 0) return {};
  return {.count = count_,
          .mean = sum_ / static_cast<double>(count_),
          .min = min_,
          .p50 = quantile(0.50),
          .p90 = quantile(0.90),
          .p99 = quantile(0.99),
          .p999 = quantile(0.999),
          .max = max_};
}

}  // namespace cordon::load
