#pragma once
// A file that describes modules of tools, for `cordon types`. It has no handlers: those are C++.
//
//   [{"specifier": "app/documents", "description": "...", "tools": [
//     {"name": "search", "description": "...", "parameters": {...}, "result": {...}}]}]

#include <cordon/tools.h>

#include <string>
#include <vector>

#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Of the shape above; specifiers, names and schemas are not checked yet. The error names the flag.
Result<std::vector<ToolModule>, UsageError> read_tool_file(const std::string& file);

}  // namespace cordon
