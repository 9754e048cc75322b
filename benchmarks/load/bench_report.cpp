#include "benchmarks/load/bench_report.h"

#include <cmath>

namespace cordon::load {

std::string label(const JobReport& report) {
  std::string text = report.job;
  if (report.parallel > 0) text += " -j " + std::to_string(report.parallel);
  if (!report.open) return text;
  if (report.open->capacity_percent) {
    return text + " at " + std::to_string(std::lround(*report.open->capacity_percent)) + " %";
  }
  return text + " at " + std::to_string(std::lround(report.open->per_second)) + "/s";
}

}  // namespace cordon::load
