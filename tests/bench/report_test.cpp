#include "benchmarks/load/report.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace cordon::load;

namespace {

const Machine kMachine{.cpus = 2, .load_before = 0.5, .load_after = 11.25};

JobReport loop_report() {
  JobReport report;
  report.job = "J2";
  report.engine = {"mozjs-1", std::uint64_t{10} << 20};
  report.unit = "µs";
  report.samples = summarise({30, 10, 20, 40});
  report.calls = 2;
  report.callers = 1;
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

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::ptrdiff_t characters(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

}  // namespace

TEST_CASE("the table has a line of equal width for each job") {
  const std::vector<JobReport> reports = {loop_report(), memory_report()};
  const auto lines = lines_of(report_table(kMachine, reports));
  REQUIRE(lines.size() > 3);
  CHECK(lines[1].starts_with("J2   µs    20.0  40.0"));
  CHECK(lines[1].find("1234") != std::string::npos);
  CHECK(lines[2].starts_with("J4   KiB    100   300"));
  CHECK(lines[2].find(" - ") != std::string::npos);
  CHECK(characters(lines[0]) == characters(lines[1]));
  CHECK(characters(lines[1]) == characters(lines[2]));
  CHECK(lines.back() ==
        "Engine mozjs-1, 10.0 MiB of its code on huge pages. 2 CPUs, load average 0.50 before and "
        "11.2 after.");
}

TEST_CASE("JSON holds every figure, unrounded") {
  const std::vector<JobReport> reports = {loop_report(), memory_report()};
  const auto json = nlohmann::json::parse(report_json(kMachine, reports));
  CHECK(json["cpus"] == 2);
  CHECK(json["loadAfter"] == 11.25);
  REQUIRE(json["jobs"].size() == 2);
  const auto& loop = json["jobs"][0];
  CHECK(loop["job"] == "J2");
  CHECK(loop["engine"] == "mozjs-1");
  CHECK(loop["hugeTextKib"] == 10240);
  CHECK(json["jobs"][1]["hugeTextKib"] == 0);
  CHECK(loop["samples"] == 4);
  CHECK(loop["p50"] == 20);
  CHECK(loop["max"] == 40);
  CHECK(loop["callsPerSecond"] == 1234.5);
  CHECK(loop["cpuMsPerCall"]["host"] == 0.25);
  CHECK(loop["hostKib"][1] == 2048);
  CHECK_FALSE(json["jobs"][1].contains("callsPerSecond"));
}
