#include "benchmarks/load/statistics.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <stdexcept>

using cordon::load::percentile;
using cordon::load::summarise;

namespace {

std::vector<double> one_to(int last) {
  std::vector<double> samples;
  for (int i = 1; i <= last; ++i) samples.push_back(i);
  return samples;
}

}  // namespace

TEST_CASE("a percentile is the sample of the nearest rank") {
  CHECK(percentile(one_to(100), 0.50) == 50);
  CHECK(percentile(one_to(100), 0.90) == 90);
  CHECK(percentile(one_to(100), 0.99) == 99);
  CHECK(percentile(one_to(100), 1.0) == 100);
  CHECK(percentile(one_to(101), 0.50) == 51);
  CHECK(percentile(one_to(10), 0.99) == 10);
  CHECK(percentile(one_to(2), 0.50) == 1);
  CHECK(percentile({7}, 0.01) == 7);
}

TEST_CASE("a percentile without samples or of an impossible share is refused") {
  CHECK_THROWS_AS(percentile({}, 0.5), std::invalid_argument);
  CHECK_THROWS_AS(percentile({1}, 0), std::invalid_argument);
  CHECK_THROWS_AS(percentile({1}, 1.01), std::invalid_argument);
}

TEST_CASE("a percentile is a sample, and a share of the samples is not above it") {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> samples(1 + random() % 300);
    for (double& each : samples) each = static_cast<double>(random() % 50);
    std::sort(samples.begin(), samples.end());
    const double share = static_cast<double>(1 + random() % 1000) / 1000;
    const double found = percentile(samples, share);
    const auto count = static_cast<double>(samples.size());
    const auto up_to = std::upper_bound(samples.begin(), samples.end(), found) - samples.begin();
    const auto below = std::lower_bound(samples.begin(), samples.end(), found) - samples.begin();
    CHECK(std::binary_search(samples.begin(), samples.end(), found));
    CHECK(static_cast<double>(up_to) >= share * count - 1e-6);
    CHECK(static_cast<double>(below) < share * count);
  }
}

TEST_CASE("a summary does not depend on the samples' order") {
  auto samples = one_to(1000);
  std::shuffle(samples.begin(), samples.end(), std::mt19937(2));
  const auto summary = summarise(samples);
  CHECK(summary.count == 1000);
  CHECK(summary.min == 1);
  CHECK(summary.p50 == 500);
  CHECK(summary.p90 == 900);
  CHECK(summary.p99 == 990);
  CHECK(summary.p999 == 999);
  CHECK(summary.max == 1000);
  CHECK(summary.mean == Approx(500.5));
}

TEST_CASE("a summary of nothing is all zero") {
  const auto summary = summarise({});
  CHECK(summary.count == 0);
  CHECK(summary.max == 0);
  CHECK(summary.mean == 0);
}
