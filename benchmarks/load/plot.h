#pragma once
// A report as one HTML page that needs nothing else: no script, no reference, and a policy that
// forbids both. A sweep shows latency against load, any other loop how its samples are distributed.

#include <string>

#include "benchmarks/load/bench_report.h"

namespace cordon::load {

std::string report_page(const BenchReport& report);

}  // namespace cordon::load
