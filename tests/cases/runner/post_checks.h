#pragma once
// The field `post`: what must hold on the host's side after the call.

#include "tests/cases/runner/judged_run.h"

namespace cordon::cases {

// Throws Unknown for a check that is not known.
Problems check_post(const Json& post, JudgedRun& run, const Json& audit_expect);

// The files outside of $ROOT that a marker of that name has become.
std::vector<std::filesystem::path> markers_on_host(const std::string& marker);

}  // namespace cordon::cases
