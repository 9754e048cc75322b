#include "benchmarks/load/histogram.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

using cordon::load::Histogram;
using cordon::load::percentile;
using cordon::load::Summary;

namespace {

constexpr double kShares[] = {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1.0};

Histogram histogram_of(const std::vector<double>& samples) {
  Histogram histogram;
  for (const double each : samples) histogram.record(each);
  return histogram;
}

using Draw = std::function<double(std::mt19937_64&)>;

// Shapes that latencies have, and some that they do not.
std::vector<Draw> shapes() {
  const auto uniform = [](std::mt19937_64& random) {
    return std::uniform_real_distribution<double>(0, 1)(random);
  };
  return {
      [=](auto& random) { return uniform(random) * 100; },
      [=](auto& random) { return -std::log(1 - uniform(random)) * 2; },
      [=](auto& random) { return std::pow(uniform(random) + 1e-3, -2); },
      [=](auto& random) { return uniform(random) < 0.98 ? 1 + uniform(random) : 900.0; },
      [=](auto& random) { return std::exp2(uniform(random) * 60 - 20); },
      [=](auto& random) { return std::floor(uniform(random) * 4); },
      [](auto&) { return 7.25; },
  };
}

}  // namespace

TEST_CASE("every quantile is within the promised error of the exact one") {
  std::mt19937_64 random(1);
  for (const Draw& draw : shapes()) {
    for (const std::size_t count : {1U, 2U, 3U, 10U, 101U, 1000U, 20'000U}) {
      std::vector<double> samples(count);
      for (double& each : samples) each = draw(random);
      const Histogram histogram = histogram_of(samples);
      std::sort(samples.begin(), samples.end());
      for (const double share : kShares) {
        const double exact = percentile(samples, share);
        CHECK(std::abs(histogram.quantile(share) - exact) <=
              Histogram::kRelativeError * exact + 1e-12);
      }
      const Summary summary = histogram.summary();
      CHECK(summary.count == count);
      CHECK(summary.min == samples.front());
      CHECK(summary.max == samples.back());
      CHECK(summary.p50 <= summary.p90);
      CHECK(summary.p90 <= summary.p99);
      CHECK(summary.p99 <= summary.p999);
      CHECK(summary.p999 <= summary.max);
    }
  }
}

TEST_CASE("merged histograms are the histogram of all samples") {
  std::mt19937_64 random(2);
  for (const Draw& draw : shapes()) {
    std::vector<double> samples(3000);
    for (double& each : samples) each = draw(random);
    Histogram merged;
    for (auto part = samples.begin(); part != samples.end(); part += 1000) {
      merged.merge(histogram_of({part, part + 1000}));
    }
    merged.merge(Histogram());
    const Histogram whole = histogram_of(samples);
    for (const double share : kShares) CHECK(merged.quantile(share) == whole.quantile(share));
    CHECK(merged.count() == whole.count());
    CHECK(merged.summary().min == whole.summary().min);
    CHECK(merged.summary().max == whole.summary().max);
    CHECK(merged.summary().mean == Approx(whole.summary().mean));
  }
}

TEST_CASE("a quantile never falls as its share grows") {
  std::mt19937_64 random(3);
  for (const Draw& draw : shapes()) {
    std::vector<double> samples(500);
    for (double& each : samples) each = draw(random);
    const Histogram histogram = histogram_of(samples);
    double before = 0;
    for (int i = 1; i <= 1000; ++i) {
      const double now = histogram.quantile(i / 1000.0);
      CHECK(now >= before);
      before = now;
    }
  }
}

TEST_CASE("samples beyond the buckets are counted, and the largest is still exact") {
  const Histogram histogram = histogram_of({0, 1e-30, 5, 1e300});
  CHECK(histogram.count() == 4);
  CHECK(histogram.quantile(0.25) == 0);
  CHECK(histogram.quantile(0.5) < 1e-6);
  CHECK(histogram.quantile(0.75) == Approx(5).epsilon(Histogram::kRelativeError));
  CHECK(histogram.quantile(1) == 1e300);
}

TEST_CASE("what is no time is refused, and leaves no trace") {
  Histogram histogram;
  for (const double bad : {-1.0, -1e-9, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(histogram.record(bad), std::invalid_argument);
  }
  CHECK(histogram.count() == 0);
  CHECK(histogram.summary().max == 0);
  CHECK_THROWS_AS(histogram.quantile(0.5), std::invalid_argument);
  histogram.record(1);
  CHECK_THROWS_AS(histogram.quantile(0), std::invalid_argument);
  CHECK_THROWS_AS(histogram.quantile(1.01), std::invalid_argument);
}
