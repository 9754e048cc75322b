#include "cli/batch/tally.h"

#include <algorithm>
#include <cmath>

namespace cordon::batch {
namespace {

constexpr double kFirstBucketMs = 0.1;
constexpr double kBucketsPerDecade = 20;

std::size_t bucket_of(double ms) {
  if (!(ms > kFirstBucketMs)) return 0;
  const double bucket = std::ceil(std::log10(ms / kFirstBucketMs) * kBucketsPerDecade);
  return std::min(static_cast<std::size_t>(bucket), Tally::kBuckets - 1);
}

// 1 - C(n - c, k) / C(n, k), as a product that overflows nothing.
double pass_chance(std::uint64_t n, std::uint64_t c, std::uint64_t k) {
  if (n - c < k) return 1;
  double all_wrong = 1;
  for (std::uint64_t i = n - c + 1; i <= n; ++i) {
    all_wrong *= 1 - static_cast<double>(k) / static_cast<double>(i);
  }
  return 1 - all_wrong;
}

}  // namespace

void Tally::add(const PastResult& result) {
  ++total_;
  ++counts_[static_cast<std::size_t>(result.verdict)];
  const bool passed = result.verdict == Verdict::kPassed;
  if (result.task && is_judgement(result.verdict)) {
    Task& task = tasks_[*result.task];
    ++task.judged;
    if (passed) ++task.passed;
  }
  if (!passed && unsuccessful_.size() < kMaxUnsuccessful) unsuccessful_.push_back(result);
  if (result.verdict == Verdict::kInvalidJob) return;

  ++histogram_[bucket_of(result.wall_ms)];
  const auto slower = [](const PastResult& a, const PastResult& b) {
    return a.wall_ms > b.wall_ms;
  };
  if (slowest_.size() == kMaxSlowest && slowest_.back().wall_ms >= result.wall_ms) return;
  slowest_.insert(std::upper_bound(slowest_.begin(), slowest_.end(), result, slower), result);
  if (slowest_.size() > kMaxSlowest) slowest_.pop_back();
}

double Tally::pass_percent() const noexcept {
  const std::uint64_t answered = total_ - count(Verdict::kSandboxError);
  if (answered == 0) return 100;
  return 100 * static_cast<double>(count(Verdict::kPassed)) / static_cast<double>(answered);
}

std::vector<Tally::PassAt> Tally::pass_at() const {
  std::vector<PassAt> all;
  for (const std::uint64_t k : {1, 2, 5, 10, 20, 50, 100}) {
    PassAt at{.k = k};
    double sum = 0;
    for (const auto& [name, task] : tasks_) {
      if (task.judged < k) continue;
      ++at.tasks;
      sum += pass_chance(task.judged, task.passed, k);
    }
    if (at.tasks == 0) break;
    at.percent = 100 * sum / static_cast<double>(at.tasks);
    all.push_back(at);
  }
  return all;
}

double Tally::quantile_ms(double fraction) const noexcept {
  std::uint64_t all = 0;
  for (const std::uint64_t count : histogram_) all += count;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(all)));
  std::uint64_t reached = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    reached += histogram_[bucket];
    if (reached >= std::max<std::uint64_t>(wanted, 1)) {
      return std::min(bucket_end_ms(bucket), slowest_.front().wall_ms);
    }
  }
  return 0;
}

double Tally::bucket_end_ms(std::size_t bucket) noexcept {
  return kFirstBucketMs * std::pow(10.0, static_cast<double>(bucket) / kBucketsPerDecade);
}

}  // namespace cordon::batch
