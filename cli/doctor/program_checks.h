#pragma once
// The whole of Cordon: real programs in the real engine, and real commands in their sandbox.

#include <filesystem>

#include "cli/doctor/bait.h"
#include "cli/doctor/finding.h"

namespace cordon {
class Runtime;
}

namespace cordon::doctor {

// Programs that ask for what was not granted, or do not end.
Findings check_programs(Runtime& runtime, const HostBait& bait);

// `probe`, the executable cordon-probe, granted as a command. Where commands cannot be run, one
// finding that says why.
Findings check_commands(Runtime& runtime, const std::filesystem::path& probe, const HostBait& bait);

}  // namespace cordon::doctor
