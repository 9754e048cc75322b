#include "benchmarks/load/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace cordon::load {

std::uint64_t nearest_rank(std::uint64_t count, double share) {
  if (count == 0 || !(share > 0 && share <= 1)) {
    throw std::invalid_argument("a percentile needs samples and a share from 0 to 1");
  }
  const auto all = static_cast<double>(count);
  // 0.99 * 100 is a little more than 99 in binary: such a rank must not be rounded up to 100.
  const double rank = std::ceil(share * all - 1e-9 * all);
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(rank, 1.0)), 1, count);
}

double percentile(const std::vector<double>& sorted, double share) {
  return sorted[nearest_rank(sorted.size(), share) - 1];
}

Summary summarise(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  return {.count = samples.size(),
          .mean = sum / static_cast<double>(samples.size()),
          .min = samples.front(),
          .p50 = percentile(samples, 0.50),
          .p90 = percentile(samples, 0.90),
          .p99 = percentile(samples, 0.99),
          .p999 = percentile(samples, 0.999),
          .max = samples.back()};
}

}  // namespace cordon::load
