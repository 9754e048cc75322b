#pragma once
// What stands after `--`: the arguments of the program's default export.

#include <cordon/value.h>

#include <string>
#include <vector>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// A JSON array. An argument that is one JSON text is that value, tags included; any other is a
// string.
Result<Value, UsageError> parse_arguments(const std::vector<std::string>& arguments);

}  // namespace cordon
