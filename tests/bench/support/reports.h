#pragma once
// Reports with figures that a test can recognise.

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/load/bench_report.h"

namespace cordon::test {

load::BenchReport report_of(std::vector<load::JobReport> jobs);
load::JobReport trips_report();   // J2 in a closed loop
load::JobReport memory_report();  // J4
// J1: p50 10 ms, p99 20 ms.
load::JobReport open_report(double per_second, std::optional<double> capacity_percent);
// A capacity of 100 per second; steady at 40 and 80 %, not at 120 %.
std::vector<load::JobReport> sweep_reports();

std::vector<std::string> lines_of(const std::string& text);

}  // namespace cordon::test
