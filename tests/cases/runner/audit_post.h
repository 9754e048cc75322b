#pragma once
// The checks `audit_…` and `last_audit_capability`: the trail as a whole.

#include "tests/cases/runner/judged_run.h"

namespace cordon::cases {

// Throws Unknown.
Problems check_audit_post(const std::string& name, const Json& value, const JudgedRun& run,
                          const Json& audit_expect);

}  // namespace cordon::cases
