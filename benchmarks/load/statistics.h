#pragma once
// What a set of samples comes to. Where samples are few they are all kept and figures are exact;
// loops, which may run for hours, put theirs into a Histogram.

#include <cstdint>
#include <vector>

namespace cordon::load {

struct Summary {
  std::uint64_t count = 0;
  // All 0 when there is no sample.
  double mean = 0;
  double min = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
};

// The rank, from 1, of the smallest of `count` sorted samples that at least `share` of them do not
// exceed. `share` is above 0 and at most 1, `count` is not 0; throws std::invalid_argument
// otherwise.
std::uint64_t nearest_rank(std::uint64_t count, double share);

// The smallest sample that at least `share` of the samples do not exceed (nearest rank).
// `sorted` ascends and is not empty; `share` is above 0 and at most 1.
double percentile(const std::vector<double>& sorted, double share);

Summary summarise(std::vector<double> samples);

}  // namespace cordon::load
