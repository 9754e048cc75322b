#pragma once
// How much memory a sandbox holds that has started and has nothing to do.

#include "benchmarks/load/measurement.h"

namespace cordon::load {

// Keeps `settings.sandboxes` alive at once. A sample is one sandbox's PSS in KiB.
JobReport measure_idle_memory(const LoadSettings& settings);

}  // namespace cordon::load
