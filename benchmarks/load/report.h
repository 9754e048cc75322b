#pragma once
// Reports as text: a table for people, JSON for programs.

#include <span>
#include <string>

#include "benchmarks/load/measurement.h"

namespace cordon::load {

// What the machine was like meanwhile.
struct Machine {
  unsigned cpus = 0;
  double load_before = 0;  // processes that want to run, averaged over a minute
  double load_after = 0;
};

// One line per job under a heading, and what the columns are. Ends without a line break.
std::string report_table(const Machine& machine, std::span<const JobReport> reports);

// One object on one line: {cpus, loadBefore, loadAfter, jobs: [...]}. Times are in the job's
// `unit`, CPU in milliseconds per call, memory in KiB.
std::string report_json(const Machine& machine, std::span<const JobReport> reports);

}  // namespace cordon::load
