#include "benchmarks/load/report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <vector>

namespace cordon::load {
namespace {

// Three digits that count.
std::string number(double value) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(value < 10 ? 2 : value < 100 ? 1 : 0) << value;
  return out.str();
}

std::string mebibytes(std::uint64_t kib) { return number(static_cast<double>(kib) / 1024); }

// Columns as wide as their longest cell; the first two are aligned to the left.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  const auto width = [](const std::string& cell) {  // in characters
    return std::count_if(cell.begin(), cell.end(), [](char c) { return (c & 0xC0) != 0x80; });
  };
  std::vector<std::ptrdiff_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(static_cast<std::size_t>(widths[i] - width(row[i])), ' ');
      if (i > 0) text += "  ";
      text += i < 2 ? row[i] + padding : padding + row[i];
    }
    text += '\n';
  }
  return text;
}

std::string engine_line(const EngineInfo& engine) {
  const std::string huge =
      engine.huge_text_bytes == 0 ? "none" : mebibytes(engine.huge_text_bytes >> 10) + " MiB";
  return "Engine " + engine.version + ", " + huge + " of its code on huge pages. ";
}

std::vector<std::string> table_row(const JobReport& report) {
  const Summary& s = report.samples;
  const bool loop = report.calls_per_second > 0;
  const auto of_loop = [&](double value) { return loop ? number(value) : std::string("-"); };
  return {report.job,
          report.unit,
          number(s.p50),
          number(s.p90),
          number(s.p99),
          number(s.max),
          number(s.mean),
          std::to_string(report.calls),
          of_loop(report.calls_per_second),
          of_loop(report.host_cpu_ms),
          of_loop(report.child_cpu_ms),
          of_loop(report.service_cpu_ms),
          mebibytes(report.host_kib_after),
          mebibytes(report.service_kib_after)};
}

nlohmann::ordered_json job_json(const JobReport& report) {
  const Summary& s = report.samples;
  nlohmann::ordered_json json = {
      {"job", report.job},
      {"engine", report.engine.version},
      {"hugeTextKib", report.engine.huge_text_bytes >> 10},
      {"unit", report.unit},
      {"callers", report.callers},
      {"calls", report.calls},
      {"samples", s.count},
      {"mean", s.mean},
      {"min", s.min},
      {"p50", s.p50},
      {"p90", s.p90},
      {"p99", s.p99},
      {"max", s.max},
      {"spareChildren", report.spare_children},
      {"hostKib", {report.host_kib_before, report.host_kib_after}},
      {"serviceKib", {report.service_kib_before, report.service_kib_after}}};
  if (report.calls_per_second > 0) {
    json["callsPerSecond"] = report.calls_per_second;
    json["cpuMsPerCall"] = {{"host", report.host_cpu_ms},
                            {"child", report.child_cpu_ms},
                            {"services", report.service_cpu_ms}};
  }
  return json;
}

}  // namespace

std::string report_table(const Machine& machine, std::span<const JobReport> reports) {
  std::vector<std::vector<std::string>> rows = {{"job", "unit", "p50", "p90", "p99", "max", "mean",
                                                 "calls", "/s", "host", "child", "services", "host",
                                                 "services"}};
  for (const JobReport& report : reports) rows.push_back(table_row(report));
  return aligned(rows) +
         "/s: calls per second. host, child, services: CPU ms per call of this process, the\n"
         "sandboxes, zygote and compiler; then memory in MiB (PSS) of this process and the "
         "engine's.\n" +
         engine_line(reports.front().engine) + std::to_string(machine.cpus) +
         " CPUs, load average " + number(machine.load_before) + " before and " +
         number(machine.load_after) + " after.";
}

std::string report_json(const Machine& machine, std::span<const JobReport> reports) {
  nlohmann::ordered_json json = {{"cpus", machine.cpus},
                                 {"loadBefore", machine.load_before},
                                 {"loadAfter", machine.load_after},
                                 {"jobs", nlohmann::ordered_json::array()}};
  for (const JobReport& report : reports) json["jobs"].push_back(job_json(report));
  return json.dump();
}

}  // namespace cordon::load
