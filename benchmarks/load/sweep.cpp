#include "benchmarks/load/sweep.h"

#include <cmath>
#include <string>
#include <utility>

namespace cordon::load {
namespace {

// The runtime's own default, which callers have to know to keep it busy.
std::size_t default_parallel() { return std::size_t{2} * usable_cpus(); }

}  // namespace

SweepResult sweep(std::string_view job, const LoadSettings& settings, std::span<const int> percents,
                  const std::function<void(std::string_view)>& progress) {
  LoadSettings open = settings;
  open.parallel = settings.parallel.value_or(settings.callers.value_or(default_parallel()));
  LoadSession session(job, open);
  const std::string name(job);
  progress(name + ": what a closed loop can have");
  SweepResult result;
  result.reports.push_back(session.closed_loop(settings.callers.value_or(*open.parallel)));
  const double capacity = result.reports.front().calls_per_second;
  for (const int percent : percents) {
    progress(name + " at " + std::to_string(percent) + " % of " +
             std::to_string(std::lround(capacity)) + " calls per second");
    JobReport report = session.open_loop(capacity * percent / 100);
    report.open->capacity_percent = percent;
    result.reports.push_back(std::move(report));
  }
  result.engine = session.engine();
  return result;
}

double tail_ratio(const Summary& latency) {
  return latency.p50 > 0 ? latency.p99 / latency.p50 : 0;
}

bool kept_up(const JobReport& open) {
  constexpr double kNearlyAll = 0.95;
  const OpenLoad& load = *open.open;
  return load.busy == 0 && load.wrong == 0 && load.held == 0 && load.unbegun == 0 &&
         open.samples.count > 0 && open.calls_per_second >= kNearlyAll * load.per_second;
}

const JobReport* highest_steady(std::span<const JobReport> reports) {
  const JobReport* highest = nullptr;
  for (const JobReport& report : reports) {
    if (!report.open || !kept_up(report)) continue;
    if (tail_ratio(report.samples) >= kSteadyRatio) continue;
    if (!highest || report.open->per_second > highest->open->per_second) highest = &report;
  }
  return highest;
}

const JobReport* at_percent(std::span<const JobReport> reports, int percent) {
  for (const JobReport& report : reports) {
    if (report.open && report.open->capacity_percent &&
        std::lround(*report.open->capacity_percent) == percent) {
      return &report;
    }
  }
  return nullptr;
}

}  // namespace cordon::load
