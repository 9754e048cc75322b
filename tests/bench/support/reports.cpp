#include "tests/bench/support/reports.h"

#include <sstream>
#include <utility>

namespace cordon::test {

using namespace load;

BenchReport report_of(std::vector<JobReport> jobs) {
  BenchReport report;
  report.machine = {.date = "2026-01-31T12:00:00Z",
                    .cordon = "0.1.0",
                    .cpu = "Chip",
                    .cpus = 2,
                    .kernel = "6.1",
                    .load_before = 0.5,
                    .load_after = 11.25};
  report.engine = "mozjs-1";
  report.huge_text_kib = 10'240;
  report.huge_data_kib = 12'288;
  report.jobs = std::move(jobs);
  return report;
}

JobReport trips_report() {
  JobReport report;
  report.job = "J2";
  report.unit = "µs";
  report.samples = summarise({30, 10, 20, 40});
  report.distribution = {{0.5, 20}, {0.75, 30}, {1, 40}};
  report.calls = 2;
  report.callers = 1;
  report.round_trips = 2;
  report.calls_per_second = 1234.5;
  report.host_cpu_ms = 0.25;
  report.host_kib_after = 2048;
  return report;
}

JobReport memory_report() {
  JobReport report;
  report.job = "J4";
  report.unit = "KiB";
  report.samples = summarise({100, 300});
  report.calls = report.callers = 2;
  return report;
}

JobReport open_report(double per_second, std::optional<double> capacity_percent) {
  JobReport report;
  report.job = "J1";
  report.unit = "ms";
  report.samples = {
      .count = 1000, .mean = 11, .min = 5, .p50 = 10, .p90 = 15, .p99 = 20, .p999 = 25, .max = 30};
  report.distribution = {{0.5, 10}, {0.9, 15}, {1, 30}};
  report.calls = 1000;
  report.calls_per_second = per_second;
  report.open = OpenLoad{.per_second = per_second,
                         .arrivals = "constant",
                         .seed = 1,
                         .capacity_percent = capacity_percent};
  return report;
}

std::vector<JobReport> sweep_reports() {
  JobReport closed = open_report(100, {});
  closed.open.reset();
  closed.callers = 4;
  std::vector<JobReport> reports = {closed, open_report(40, 40), open_report(80, 80),
                                    open_report(120, 120)};
  reports.back().calls_per_second = 100;
  return reports;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace cordon::test
