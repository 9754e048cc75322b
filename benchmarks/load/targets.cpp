#include "benchmarks/load/targets.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "benchmarks/load/sweep.h"

namespace cordon::load {
namespace {

constexpr Target kTargets[] = {
    {"J1", "ms", Better::kLower, 2.2, 1.2},
    {"J1 calls", "/s", Better::kHigher, 1000, 1800},
    {"J1 -j 2 against -j 1", "times", Better::kHigher, 1.8, 1.8},
    {"J1 p99 / p50 at 80 %", "times", Better::kLower, kSteadyRatio, kSteadyRatio},
    {"J1w", "ms", Better::kLower, 0.8, 0.4},
    {"J2", "µs", Better::kLower, 60, 35},
    {"J2 host CPU a trip", "µs", Better::kLower, 40, 40},
    {"J3", "ms", Better::kLower, 90, 70},
    {"J3 -j 2 against -j 1", "times", Better::kHigher, 1.8, 1.8},
    {"J4", "KiB", Better::kLower, 512, 128},
    {"J5", "ms", Better::kLower, 22.5, 21},
    {"J6", "ms", Better::kLower, 30, 15},
    {"J7", "ms", Better::kLower, 5, 3},
};

class Measuring {
 public:
  Measuring(const LoadSettings& settings, const std::function<void(std::string_view)>& progress)
      : settings_(settings), progress_(progress) {
    settings_.callers = settings_.parallel = settings_.spare_children = std::nullopt;
    settings_.per_second = std::nullopt;
  }

  StandingsResult run() {
    measure_throughput();
    for (const char* job : {"J1", "J1w", "J2", "J3", "J4", "J5", "J6", "J7"}) {
      try {
        stand(measure(job, settings_));
      } catch (const Unreadable& why) {
        progress_(std::string(job) + " is left out: " + why.what());
      }
    }
    std::sort(result_.standings.begin(), result_.standings.end(),
              [](const Standing& a, const Standing& b) { return a.target < b.target; });
    return std::move(result_);
  }

 private:
  const JobReport& measure(std::string_view job, const LoadSettings& settings) {
    progress_(std::string(job) +
              (settings.parallel ? " -j " + std::to_string(*settings.parallel) : ""));
    Measured measured = measure_job(job, settings);
    result_.engine = measured.engine;
    return result_.reports.emplace_back(std::move(measured.report));
  }

  // Calls a second with one and with two sandboxes at a time.
  std::array<double, 2> compare_parallel(const std::string& job) {
    std::array<double, 2> rates{};
    for (const std::size_t parallel : {1U, 2U}) {
      LoadSettings settings = settings_;
      settings.parallel = parallel;
      rates[parallel - 1] = measure(job, settings).calls_per_second;
    }
    stand(job + " -j 2 against -j 1", rates[1] / rates[0]);
    return rates;
  }

  void measure_throughput() {
    const auto rates = compare_parallel("J1");
    compare_parallel("J3");
    constexpr int kPercents[] = {80};
    SweepResult swept = sweep("J1", settings_, kPercents, progress_);
    stand("J1 calls", std::max(swept.reports.front().calls_per_second, rates[1]));
    stand("J1 p99 / p50 at 80 %", tail_ratio(swept.reports.back().samples));
    result_.standings.back().valid = kept_up(swept.reports.back());
    std::move(swept.reports.begin(), swept.reports.end(), std::back_inserter(result_.reports));
  }

  void stand(const JobReport& report) {
    stand(report.job, report.samples.p50, report.samples.p99);
    if (report.job != "J2") return;
    stand("J2 host CPU a trip",
          report.host_cpu_ms * 1000 / static_cast<double>(report.round_trips));
  }

  void stand(std::string_view figure, double value, std::optional<double> p99 = {}) {
    const auto* target = std::find_if(std::begin(kTargets), std::end(kTargets),
                                      [&](const Target& each) { return each.figure == figure; });
    result_.standings.push_back({target, value, p99, true});
  }

  LoadSettings settings_;
  const std::function<void(std::string_view)>& progress_;
  StandingsResult result_;
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const char* to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::kStretch:
      return "stretch";
    case Verdict::kMet:
      return "met";
    case Verdict::kMissed:
      return "missed";
  }
  return "missed";
}

Verdict judge_figure(const Target& target, double value) {
  const auto reaches = [&](double bound) {
    return target.better == Better::kLower ? value <= bound : value >= bound;
  };
  if (target.stretch != target.target && reaches(target.stretch)) return Verdict::kStretch;
  return reaches(target.target) ? Verdict::kMet : Verdict::kMissed;
}

Verdict judge(const Standing& standing) {
  return standing.valid ? judge_figure(*standing.target, standing.value) : Verdict::kMissed;
}

StandingsResult measure_standings(const LoadSettings& settings,
                                  const std::function<void(std::string_view)>& progress) {
  return Measuring(settings, progress).run();
}

}  // namespace cordon::load
