#pragma once
// How much memory a sandbox holds that has nothing to do.

#include "benchmarks/load/measurement.h"

namespace cordon::load {

// All of these throw Unreadable.

// Keeps `settings.sandboxes` alive at once whose programs have run. What each adds to the memory of
// this process and all of the runtime's, in one sample, which is the mean.
Measured measure_idle_memory(const LoadSettings& settings);

// The same sandboxes: a sample is one's own PSS in KiB, with its share of what all have in common.
Measured measure_idle_process_memory(const LoadSettings& settings);

// The mean as in the first, of sandboxes that wait for their call.
Measured measure_spare_memory(const LoadSettings& settings);

}  // namespace cordon::load
