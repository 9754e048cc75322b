#include "benchmarks/load/arrivals.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

using namespace cordon::load;
using namespace std::chrono_literals;

namespace {

std::vector<std::chrono::nanoseconds> first(std::size_t count, Arrivals arrivals) {
  std::vector<std::chrono::nanoseconds> times;
  for (std::size_t i = 0; i < count; ++i) times.push_back(arrivals.next());
  return times;
}

}  // namespace

TEST_CASE("a constant rate is the same time apart, from the start") {
  CHECK(first(4, Arrivals(200, ArrivalKind::kConstant, 1)) ==
        std::vector<std::chrono::nanoseconds>{0ms, 5ms, 10ms, 15ms});
}

TEST_CASE("a constant rate that divides no second does not drift") {
  const auto times = first(3'000'001, Arrivals(3, ArrivalKind::kConstant, 1));
  CHECK(times.back() == 1'000'000s);
}

TEST_CASE("Poisson arrivals repeat with their seed, and differ with another") {
  const auto times = first(100, Arrivals(50, ArrivalKind::kPoisson, 7));
  CHECK(times == first(100, Arrivals(50, ArrivalKind::kPoisson, 7)));
  CHECK(times != first(100, Arrivals(50, ArrivalKind::kPoisson, 8)));
}

TEST_CASE("Poisson arrivals have the rate, and gaps that vary as much as their mean") {
  const std::size_t count = 100'000;
  const auto times = first(count, Arrivals(1000, ArrivalKind::kPoisson, 3));
  double sum = 0;
  double squares = 0;
  std::chrono::nanoseconds before{0};
  for (const auto time : times) {
    REQUIRE(time >= before);
    const double gap = std::chrono::duration<double>(time - before).count();
    sum += gap;
    squares += gap * gap;
    before = time;
  }
  const double mean = sum / static_cast<double>(count);
  const double deviation = std::sqrt(squares / static_cast<double>(count) - mean * mean);
  CHECK(mean == Approx(0.001).epsilon(0.02));
  CHECK(deviation == Approx(mean).epsilon(0.02));
}

TEST_CASE("a rate that cannot be is refused") {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(Arrivals(bad, ArrivalKind::kConstant, 1), std::invalid_argument);
  }
}
