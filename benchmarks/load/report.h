#pragma once
// Reports as text for people. Each ends with a line break.

#include <string>

#include "benchmarks/load/bench_report.h"
#include "benchmarks/load/targets.h"

namespace cordon::load {

// A line per job under a heading, what the columns are, and what the figures were taken on; then of
// blends a line per kind, and of open loops what was refused, held or late and what rate was
// steady.
std::string report_table(const BenchReport& report);

// What was held at each look, and whether it grew.
std::string footprint_table(const BenchReport& report);

// Figure, p50 or value, p99, target, stretch, verdict.
std::string standings_table(std::span<const Standing> standings);

// "Engine ..., 2 CPUs, ...": what the figures were taken on.
std::string machine_line(const BenchReport& report);

}  // namespace cordon::load
