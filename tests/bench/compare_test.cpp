#include "benchmarks/load/compare.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace cordon::load;
using Change = FigureChange::Change;

namespace {

JobReport job(const std::string& name, double ms, double per_second) {
  JobReport report;
  report.job = name;
  report.unit = "ms";
  report.samples = summarise({ms});
  report.calls = 1000;
  report.callers = 1;
  report.calls_per_second = per_second;
  report.host_cpu_ms = 0.5;
  report.child_cpu_ms = 0.7;
  report.service_cpu_ms = 0.1;
  report.host_kib_after = 10'000;
  report.service_kib_after = 20'000;
  return report;
}

BenchReport report_of(std::vector<JobReport> jobs) {
  BenchReport report;
  report.machine = {.cordon = "1", .cpu = "one", .cpus = 2, .kernel = "6"};
  report.engine = "mozjs-1";
  report.jobs = std::move(jobs);
  return report;
}

Comparison compared(const BenchReport& before, const BenchReport& now, double tolerance = 0.1) {
  auto comparison = compare(before, now, tolerance);
  REQUIRE(comparison.has_value());
  return *comparison;
}

FigureChange figure(const Comparison& comparison, const std::string& name) {
  const auto found = std::find_if(comparison.figures.begin(), comparison.figures.end(),
                                  [&](const FigureChange& each) { return each.figure == name; });
  REQUIRE(found != comparison.figures.end());
  return *found;
}

}  // namespace

TEST_CASE("a report is no worse than itself") {
  const BenchReport report = report_of({job("J1", 2, 500), job("J3", 50, 20)});
  const Comparison same = compared(report, report, 0.001);
  CHECK_FALSE(same.worse());
  CHECK(same.doubts.empty());
  CHECK(same.figures.size() == 2 * 9);
  for (const FigureChange& each : same.figures) CHECK(each.ratio == 1);
}

TEST_CASE("a longer time is worse beyond the tolerance, and noise within it") {
  const BenchReport before = report_of({job("J1", 2, 500)});
  CHECK_FALSE(compared(before, report_of({job("J1", 2.19, 500)})).worse());
  const Comparison worse = compared(before, report_of({job("J1", 2.21, 500)}));
  CHECK(worse.worse());
  CHECK(figure(worse, "p50 ms").change == Change::kWorse);
  CHECK(figure(worse, "p50 ms").ratio == Approx(1.105));
  CHECK_FALSE(compared(before, report_of({job("J1", 2.21, 500)}), 0.2).worse());
}

TEST_CASE("a shorter time is better") {
  const Comparison better =
      compared(report_of({job("J1", 2, 500)}), report_of({job("J1", 1, 500)}));
  CHECK_FALSE(better.worse());
  CHECK(figure(better, "p99 ms").change == Change::kBetter);
}

TEST_CASE("fewer calls a second are worse, and more are better") {
  const BenchReport before = report_of({job("J1", 2, 500)});
  CHECK(figure(compared(before, report_of({job("J1", 2, 400)})), "calls /s").change ==
        Change::kWorse);
  CHECK(figure(compared(before, report_of({job("J1", 2, 600)})), "calls /s").change ==
        Change::kBetter);
}

TEST_CASE("a difference below what it is counted in is none, whatever its ratio") {
  JobReport before = job("J1", 2, 500);
  before.calls = 10;  // two ticks of the kernel's are 2 ms a call
  JobReport now = before;
  now.service_cpu_ms = 1.9;
  now.host_kib_after = before.host_kib_after + 1000;
  CHECK_FALSE(compared(report_of({before}), report_of({now}), 0.01).worse());
  now.service_cpu_ms = 2.2;
  CHECK(compared(report_of({before}), report_of({now}), 0.01).worse());
}

TEST_CASE("kinds of a blend are compared one by one") {
  JobReport before = job("mix", 2, 500);
  before.kinds = {{"J1", summarise({1})}, {"denied", summarise({1})}};
  JobReport now = before;
  now.kinds[1].samples = summarise({3});
  const Comparison worse = compared(report_of({before}), report_of({now}));
  CHECK(worse.worse());
  const auto count =
      std::count_if(worse.figures.begin(), worse.figures.end(), [](const FigureChange& each) {
        return each.change == Change::kWorse && each.job == "mix denied";
      });
  CHECK(count == 3);
}

TEST_CASE("sweeps are compared by their share of the capacity, whatever that is") {
  JobReport before = job("J1", 2, 500);
  before.open = OpenLoad{.per_second = 400, .arrivals = "constant", .capacity_percent = 80};
  JobReport now = before;
  now.open->per_second = 500;
  CHECK_FALSE(compared(report_of({before}), report_of({now})).worse());
  now.open->arrivals = "poisson";
  const auto other = compare(report_of({before}), report_of({now}), 0.1);
  REQUIRE_FALSE(other.has_value());
  CHECK(other.error().message.find("arrivals") != std::string::npos);
}

TEST_CASE("reports of other jobs are refused, and both are named") {
  const BenchReport before = report_of({job("J1", 2, 500), job("J2", 2, 500)});
  for (const BenchReport& now :
       {report_of({job("J1", 2, 500)}), report_of({job("J1", 2, 500), job("J3", 2, 500)})}) {
    const auto refused = compare(before, now, 0.1);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("of J1, J2, and this run of J1") != std::string::npos);
  }
}

TEST_CASE("reports of other settings are refused, and the setting is named") {
  const JobReport before = job("J2", 2, 500);
  JobReport now = before;
  const auto message = [&] {
    const auto refused = compare(report_of({before}), report_of({now}), 0.1);
    return refused ? std::string() : refused.error().message;
  };
  CHECK(message().empty());
  now.callers = 4;
  CHECK(message() == "J2 was measured with another number of callers");
  now = before;
  now.spare_children = 1;
  CHECK(message().find("spare children") != std::string::npos);
  now = before;
  now.round_trips = 10;
  CHECK(message().find("round trips") != std::string::npos);
}

TEST_CASE("another machine makes doubts, not an error") {
  const BenchReport before = report_of({job("J1", 2, 500)});
  BenchReport now = before;
  now.machine.cpu = "two";
  now.machine.load_after = 9;
  const Comparison comparison = compared(before, now);
  REQUIRE(comparison.doubts.size() == 2);
  CHECK(comparison.doubts[0] == "another CPU: one, now two");
  CHECK_FALSE(comparison.worse());
}
