#pragma once
// Two reports of the same jobs: what became worse by more than noise.

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/load/bench_report.h"
#include "messages/result.h"

namespace cordon::load {

struct FigureChange {
  std::string job;     // label(); of a blend with its kind
  std::string figure;  // "p50 ms", "calls /s"
  double before = 0;
  double now = 0;
  double ratio = 1;  // now / before
  enum class Change : std::uint8_t { kSame, kBetter, kWorse } change = Change::kSame;
};

struct Comparison {
  std::vector<FigureChange> figures;
  // What makes the two hard to compare, though they may be: another CPU, say. Holds text of the
  // earlier report: escape it before a person reads it.
  std::vector<std::string> doubts;

  bool worse() const;
};

struct NotComparable {
  std::string message;
};

// A figure has changed when its ratio leaves 1 by more than `tolerance` (0.1 is 10 %) and the
// difference is more than what it is counted in. p99.9 and the maximum are left out: a run has too
// few such samples. Refused when the two are not of the same jobs under the same settings.
Result<Comparison, NotComparable> compare(const BenchReport& before, const BenchReport& now,
                                          double tolerance);

// A line for each figure. Ends with a line break.
std::string comparison_table(const Comparison& comparison);

}  // namespace cordon::load
