#pragma once
// One use of a tool, without running it: may it be used, may it see these arguments, and what its
// answer comes to. Pure functions.

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "capabilities/authority.h"
#include "capabilities/operation.h"
#include "capabilities/tools/tool_call.h"
#include "capabilities/tools/tool_set.h"

namespace cordon {

// `bytes` is the size of the arguments' text; none when the guest's side says that it is too large.
// The tool is the authority's.
OperationResult<const CheckedTool*> find_tool(const Authority& authority,
                                              std::string_view specifier, std::string_view name,
                                              std::optional<std::uint64_t> bytes);

// `tagged` as it came from the guest; what is returned is plain JSON that the tool's schema
// accepts. `is_over` as in find_mismatch().
OperationResult<nlohmann::json> check_arguments(const CheckedTool& tool, nlohmann::json tagged,
                                                const std::function<bool()>& is_over);

// The text of the value that the guest gets. `call` has its tool's name unless it was cancelled or
// refused before a handler saw it.
OperationResult<std::string> tool_result(const Authority& authority, const ToolCall::State& call,
                                         ToolAnswer answer);

// "app/documents#search": the target in the audit trail, not yet redacted.
std::string tool_target(std::string_view specifier, std::string_view name);

}  // namespace cordon
