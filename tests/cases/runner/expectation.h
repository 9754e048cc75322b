#pragma once
// The field `expect`: what call() must come to.

#include "tests/cases/runner/judged_run.h"

namespace cordon::cases {

// Throws Unknown for a part that is not known, wherever it stands.
Problems check_expectation(const Json& expect, const Json& outcome);

}  // namespace cordon::cases
