#pragma once
// The fields `audit_expect` and `audit_forbid`, and whether an event has given fields.

#include "tests/cases/runner/judged_run.h"

namespace cordon::cases {

// Whether `event` has each of these fields with this value. Throws Unknown for one that no event
// has.
bool event_has(const Json& event, const Json& fields);

Problems check_audit(const Json& audit_expect, const Json& audit_forbid, const JudgedRun& run);

}  // namespace cordon::cases
