#pragma once
// The field `post`: what must hold on the host's side after the call.

#include "tests/cases/runner/judged_run.h"

namespace cordon::cases {

// Throws Unknown for a check that is not known.
Problems check_post(const Json& post, JudgedRun& run, const Json& audit_expect);

// The files that a marker of that name could have become, outside of $ROOT.
std::vector<std::filesystem::path> marker_places(const std::string& marker);

}  // namespace cordon::cases
