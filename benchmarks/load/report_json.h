#pragma once
// Reports as JSON, for programs and for a later comparison. benchmarks/json.md describes the
// format.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "benchmarks/load/bench_report.h"
#include "benchmarks/load/targets.h"
#include "messages/result.h"

namespace cordon::load {

inline constexpr std::string_view kReportFormat = "cordon-bench";
inline constexpr std::uint64_t kReportVersion = 1;

// One object on one line, every figure unrounded.
std::string report_json(const BenchReport& report, std::span<const Standing> standings = {});

struct ReadError {
  std::string message;  // names the member and what is wrong with it
};

// `text` may be anything: what is no such report, of another version, or holds numbers that nothing
// can have measured is refused. Members that are not known are ignored.
Result<BenchReport, ReadError> read_report(std::string_view text);

}  // namespace cordon::load
