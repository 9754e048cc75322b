#pragma once
// All of the lockdown together: children that the production zygote forks, with attempts in place
// of guest code.

#include <filesystem>

#include "cli/doctor/bait.h"
#include "cli/doctor/finding.h"

namespace cordon::doctor {

// `probe` is the executable cordon-probe. One finding that names what is missing where the zygote
// does not start.
Findings check_engine(const std::filesystem::path& probe, const HostBait& bait);

}  // namespace cordon::doctor
