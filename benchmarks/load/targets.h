#pragma once
// What Cordon wants to reach, and whether a machine's figures reach it.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/load/measurement.h"

namespace cordon::load {

enum class Better : bool { kLower, kHigher };

struct Target {
  std::string_view figure;  // "J1", "J1 /s"
  std::string_view unit;
  Better better;
  double target;
  double stretch;  // the same as `target` where there is none
};
// The one place where targets are written down.
std::span<const Target> targets();

enum class Verdict { kStretch, kMet, kMissed };
const char* to_string(Verdict verdict) noexcept;
Verdict judge_figure(const Target& target, double value);

// Where a machine stands on one target.
struct Standing {
  const Target* target;
  double value;               // p50 where samples are judged
  std::optional<double> p99;  // of those
  bool valid = true;          // otherwise the machine was not up to the load that it is about
};
Verdict judge(const Standing& standing);

struct StandingsResult {
  std::vector<Standing> standings;  // in the order of targets()
  std::vector<JobReport> reports;   // that they were read from
  EngineInfo engine;
};
// Measures everything that a target is about. Callers, parallel, spares and rates of `settings` are
// those of each target. `progress` is told what begins.
StandingsResult measure_standings(const LoadSettings& settings,
                                  const std::function<void(std::string_view)>& progress);

}  // namespace cordon::load
