#pragma once
// What a set of samples comes to. Exact: every sample is kept, nothing is put into buckets.

#include <cstddef>
#include <vector>

namespace cordon::load {

struct Summary {
  std::size_t count = 0;
  // All 0 when there is no sample.
  double mean = 0;
  double min = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;
};

// The smallest sample that at least `share` of the samples do not exceed (nearest rank).
// `sorted` ascends and is not empty; `share` is above 0 and at most 1.
double percentile(const std::vector<double>& sorted, double share);

Summary summarise(std::vector<double> samples);

}  // namespace cordon::load
