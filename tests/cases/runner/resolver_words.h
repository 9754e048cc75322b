#pragma once
// The fixture `resolver`: what names resolve to, in words.
//
//   "evil.test resolves to 127.0.0.1"   "every name resolves to 10.0.0.1, ::1"
//   "rebind.test answers 192.0.2.1 first, then 127.0.0.1"   "gone.test does not exist"

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

// A list of {"name": NAME or "*", "answers": [[ADDRESS…], …]}: the answers in turn, the last one
// again and again. `fixture`: words, or an object from names to addresses. Throws Unknown.
Json resolver_rules(const Json& fixture);

}  // namespace cordon::cases
