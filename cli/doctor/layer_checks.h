#pragma once
// Each mechanism of the lockdown put up alone, in a process that does nothing else, and attacked.

#include <filesystem>

#include "cli/doctor/bait.h"
#include "cli/doctor/finding.h"

namespace cordon::doctor {

// `probe` is the executable cordon-probe.
Findings check_layers(const std::filesystem::path& probe, const HostBait& bait);

}  // namespace cordon::doctor
