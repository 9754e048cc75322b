#pragma once
// Latency against load: an open loop at rising rates, up to and beyond what a closed loop can have.

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "benchmarks/load/measurement.h"

namespace cordon::load {

// In percent of the capacity.
inline constexpr int kSweepPercents[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
// Latency is steady as long as the 99th percentile is below so many times the median.
inline constexpr double kSteadyRatio = 3;

struct SweepResult {
  std::vector<JobReport> reports;  // the closed loop that found the capacity, then one a rate
  EngineInfo engine;
};

// On one runtime. The capacity is what settings.callers have, or as many callers as may run at one
// time. `progress` is told what begins.
SweepResult sweep(std::string_view job, const LoadSettings& settings, std::span<const int> percents,
                  const std::function<void(std::string_view)>& progress);

// p99 / p50; 0 when there is no sample.
double tail_ratio(const Summary& latency);

// Whether an open loop was kept up with: nothing refused, wrong or held, and nearly all calls done
// in time. Where calls only pile up, all of them are slow, so that the tail says nothing.
bool kept_up(const JobReport& open);

// The open loop of the highest rate that was kept up with, its tail short.
const JobReport* highest_steady(std::span<const JobReport> reports);
// The open loop at that percentage of the capacity.
const JobReport* at_percent(std::span<const JobReport> reports, int percent);

}  // namespace cordon::load
