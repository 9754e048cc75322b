#pragma once
// A value without a second look at its text: for text that find_json_error() or find_json_members()
// of this process has found to be good.

#include <cordon/value.h>

#include <string>

namespace cordon {

Value checked_value(std::string text);

}  // namespace cordon
