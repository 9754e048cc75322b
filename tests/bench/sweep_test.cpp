#include "benchmarks/load/sweep.h"

#include <catch2/catch.hpp>

#include "tests/bench/support/reports.h"

using namespace cordon::load;
using namespace cordon::test;

TEST_CASE("the highest steady rate is one whose tail is short and whose calls were all made") {
  auto reports = sweep_reports();
  REQUIRE(highest_steady(reports) != nullptr);
  CHECK(highest_steady(reports)->open->per_second == 80);  // at 120 calls pile up

  reports[2].samples.p99 = 3 * reports[2].samples.p50;
  CHECK(highest_steady(reports)->open->per_second == 40);
}

TEST_CASE("a rate at which something was refused, wrong, held or not begun is not steady") {
  for (std::uint64_t OpenLoad::*count :
       {&OpenLoad::busy, &OpenLoad::wrong, &OpenLoad::held, &OpenLoad::unbegun}) {
    auto reports = sweep_reports();
    *reports[2].open.*count = 1;
    REQUIRE(highest_steady(reports) != nullptr);
    CHECK(highest_steady(reports)->open->per_second == 40);
  }
}

TEST_CASE("there may be no steady rate") {
  CHECK(highest_steady({}) == nullptr);
  auto reports = sweep_reports();
  for (JobReport& each : reports) each.samples.p99 = 100;
  CHECK(highest_steady(reports) == nullptr);
  CHECK(tail_ratio(Summary()) == 0);
}

TEST_CASE("a rate of a sweep is found by its share of the capacity") {
  const auto reports = sweep_reports();
  REQUIRE(at_percent(reports, 80) != nullptr);
  CHECK(at_percent(reports, 80)->open->per_second == 80);
  CHECK(at_percent(reports, 50) == nullptr);
}
