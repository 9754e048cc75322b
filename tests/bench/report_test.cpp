#include "benchmarks/load/report.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/bench/support/reports.h"

using namespace cordon::load;
using namespace cordon::test;

namespace {

std::ptrdiff_t characters(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

}  // namespace

TEST_CASE("the table has a line of equal width for each job") {
  const std::string text = report_table(report_of({trips_report(), memory_report()}));
  const auto lines = lines_of(text);
  REQUIRE(lines.size() > 3);
  CHECK(lines[1].starts_with("J2   µs    20.0  40.0"));
  CHECK(lines[1].find("1234") != std::string::npos);
  CHECK(lines[2].starts_with("J4   KiB    100   300"));
  CHECK(lines[2].find(" - ") != std::string::npos);
  CHECK(characters(lines[0]) == characters(lines[1]));
  CHECK(characters(lines[1]) == characters(lines[2]));
  CHECK(lines.back() ==
        "Cordon 0.1.0, mozjs-1, 10.0 MiB of its code and 12.0 MiB of its data on huge pages. 2 "
        "CPUs (Chip), Linux 6.1, load "
        "average 0.50 before and 11.2 after, 2026-01-31T12:00:00Z.");
}

TEST_CASE("a table says how often the machine stood still, where that was watched") {
  BenchReport report = report_of({trips_report()});
  CHECK_THAT(report_table(report), !Catch::Contains("Stalls"));
  report.machine.stalls =
      Stalls{.watched_s = 2, .over_one_ms = 34, .longest_ms = 16.31, .lost_percent = 4.339};
  CHECK_THAT(report_table(report),
             Catch::EndsWith("Stalls of this machine, 2.00 s before: 34 of over 1 ms, the longest "
                             "of 16.3 ms; 4.34 % of the time of all CPUs. No tail can be "
                             "better.\n"));
}

TEST_CASE("a blend has a line for each kind") {
  JobReport mix = trips_report();
  mix.job = "mix";
  mix.kinds = {{"J1", summarise({2})}, {"denied", summarise({3})}};
  const std::string text = report_table(report_of({mix}));
  CHECK(text.find("mix, by kind") != std::string::npos);
  CHECK(text.find("denied        ms    3.00") != std::string::npos);
}

TEST_CASE("an open loop says what was refused, held and wrong, and whether it fell behind") {
  JobReport open = open_report(200, {});
  CHECK(report_table(report_of({open})).find("calls began late") == std::string::npos);
  open.open->busy = 17;
  open.open->held = 4;
  open.open->wrong = 1;
  open.open->first_wrong = "expected 42, got 43";
  const std::string text = report_table(report_of({open}));
  CHECK(text.find("J1 at 200/s") != std::string::npos);
  CHECK(text.find("17      1     4") != std::string::npos);
  CHECK(text.find("J1 at 200/s: calls began late") != std::string::npos);
  CHECK(text.find("J1 at 200/s: a call went wrong: expected 42, got 43") != std::string::npos);
}

TEST_CASE("a sweep says up to which rate the tail was short, and what it was at 80 %") {
  const std::string text = report_table(report_of(sweep_reports()));
  CHECK(text.find(
            "J1: 100 calls per second in a closed loop; the highest with p99 below 3 times p50: "
            "80.0 (80.0 %)") != std::string::npos);
  CHECK(text.find("J1 at 80 %: p99 is 2.00 times p50 (target: below 3, met)") != std::string::npos);
}

TEST_CASE("a short tail at 80 % is worth nothing where calls piled up") {
  auto reports = sweep_reports();
  reports[2].calls_per_second = 60;
  const std::string text = report_table(report_of(reports));
  CHECK(text.find("missed: calls piled up") != std::string::npos);
  CHECK(text.find(": 40.0 (40.0 %)") != std::string::npos);
}

TEST_CASE("two runs of a job say how it scales") {
  JobReport one = trips_report();
  one.parallel = 1;
  JobReport two = one;
  two.parallel = 2;
  two.calls_per_second *= 1.5;
  CHECK(report_table(report_of({one, two}))
            .find("J2 -j 2: 1.50 times the calls per second of -j 1") != std::string::npos);
  CHECK(report_table(report_of({one})).find("times the calls") == std::string::npos);
}

TEST_CASE("the footprint table has every look, and says whether something grew") {
  JobReport flat = trips_report();
  flat.footprints = {{.seconds = 0, .host_kib = 20'480, .descriptors = 30, .threads = 9},
                     {.seconds = 1, .host_kib = 20'480, .descriptors = 31, .threads = 10},
                     {.seconds = 4, .host_kib = 20'480, .descriptors = 30, .threads = 9}};
  CHECK(footprint_table(report_of({flat})).find("J2: flat") != std::string::npos);
  flat.footprints.back().descriptors = 32;
  CHECK(footprint_table(report_of({flat})).find("J2: descriptors grew from 30 to 32") !=
        std::string::npos);
}

TEST_CASE("the standings name figure, target and verdict") {
  const auto target = std::find_if(targets().begin(), targets().end(),
                                   [](const Target& each) { return each.figure == "J1"; });
  REQUIRE(target != targets().end());
  const std::vector<Standing> standings = {{&*target, 2.0, 3.5, true}};
  const auto lines = lines_of(standings_table(standings));
  REQUIRE(lines.size() == 2);
  CHECK(lines[1] == "J1   ms    2.00  3.50  ≤ 2.20   ≤ 1.20      met");
}
