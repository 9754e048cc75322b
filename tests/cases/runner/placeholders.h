#pragma once
// $ROOT, $PORT and their like, replaced as text in the strings of a case.

#include <map>
#include <string>

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

using Placeholders = std::map<std::string, std::string>;  // with the dollar sign

// The longest name that fits is the one meant; a value is not searched again.
std::string replaced(const std::string& text, const Placeholders& placeholders);
// In every string of it, keys included.
Json replaced(const Json& value, const Placeholders& placeholders);

}  // namespace cordon::cases
