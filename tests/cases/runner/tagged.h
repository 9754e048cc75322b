#pragma once
// The tag that only case files have, {"$json":"text"}: the value that JSON.parse makes of the text.

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

// `value` with every $json replaced by the tagged form that Cordon reads.
Json without_json_tags(const Json& value);

// `options` as policy: members that are {"$undefined":true} are absent.
Json as_policy(const Json& options);

}  // namespace cordon::cases
