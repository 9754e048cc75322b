#pragma once
// How much memory a sandbox holds that has nothing to do.

#include "benchmarks/load/measurement.h"

namespace cordon::load {

// Keeps `settings.sandboxes` alive at once whose programs have run. A sample is one's PSS in KiB.
Measured measure_idle_memory(const LoadSettings& settings);

// Of sandboxes that wait for their call: by how much so many more enlarge all processes of the
// runtime, in one sample, which is the mean.
Measured measure_spare_memory(const LoadSettings& settings);

}  // namespace cordon::load
