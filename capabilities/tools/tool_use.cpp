#include "capabilities/tools/tool_use.h"

#include <utility>

#include "capabilities/refusal.h"
#include "capabilities/shown_text.h"
#include "capabilities/tools/plain_json.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

using Kind = OperationFailure::Kind;

constexpr std::string_view kLimit = "resources.maxToolBytes";

OperationError wrong_arguments(const CheckedTool& tool, const std::string& problem) {
  return OperationFailure{tool.name + ": argument " + problem,
                          "arguments are not what the tool takes", Kind::kTypeError};
}

OperationResult<std::string> checked_result(const Authority& authority, const std::string& target,
                                            const CheckedTool& tool, nlohmann::json result) {
  const auto wrong = [&](const std::string& problem) {
    return OperationError(OperationFailure{"Tool " + target + " failed: its result " + problem,
                                           "the tool's result is not usable"});
  };
  auto text = tagged_json(result);
  if (!text) return wrong(text.error().text);
  if (tool.result) {
    if (const auto mismatch = find_mismatch(*tool.result, result, "result"))
      return wrong("is not what the tool declares: " + *mismatch);
  }
  const std::uint64_t limit = authority.resources().max_tool_bytes;
  if (text->size() > limit)
    return OperationError(byte_limit_refusal("Tool result of " + target, limit, kLimit));
  return *std::move(text);
}

}  // namespace

std::string tool_target(std::string_view specifier, std::string_view name) {
  return to_well_formed_utf8(specifier) + "#" + to_well_formed_utf8(name);
}

OperationResult<const CheckedTool*> find_tool(const Authority& authority,
                                              std::string_view specifier, std::string_view name,
                                              std::optional<std::uint64_t> bytes) {
  const CheckedTool* const tool = authority.tools()->find(specifier, name);
  const std::string target = shown(tool_target(specifier, name));
  if (tool == nullptr)
    return OperationError(
        Refusal{.capability = "tool",
                .message = "Tool " + target + " is not granted: add it to AISandboxOptions::tools",
                .reason = "name is not in tools"});
  const std::uint64_t limit = authority.resources().max_tool_bytes;
  if (!bytes || *bytes > limit)
    return OperationError(byte_limit_refusal("Tool arguments of " + target, limit, kLimit));
  return tool;
}

OperationResult<nlohmann::json> check_arguments(const CheckedTool& tool, nlohmann::json tagged,
                                                const std::function<bool()>& is_over) {
  constexpr std::string_view kName = "input";
  auto plain = plain_json(std::move(tagged), kName);
  if (!plain) return wrong_arguments(tool, plain.error().text);
  if (const auto mismatch = find_mismatch(tool.parameters, *plain, kName, is_over))
    return wrong_arguments(tool, *mismatch);
  return *std::move(plain);
}

OperationResult<std::string> tool_result(const Authority& authority, const ToolCall::State& call,
                                         ToolAnswer answer) {
  if (std::holds_alternative<ToolCancelled>(answer))
    return OperationError(
        OperationFailure{"Tool cancelled: the call is over", "cancelled: the call was over"});
  if (auto* const refused = std::get_if<OperationError>(&answer)) return std::move(*refused);
  if (auto* const failure = std::get_if<ToolFailure>(&answer))
    return OperationError(OperationFailure{to_well_formed_utf8(failure->message), "the tool failed",
                                           Kind::kToolError});
  const std::string target = tool_target(call.specifier, call.tool);
  const CheckedTool* const tool = authority.tools()->find(call.specifier, call.tool);
  auto* const result = std::get_if<nlohmann::json>(&answer);
  if (tool == nullptr || result == nullptr)
    return OperationError(OperationFailure{"Tool " + target + " gave no answer",
                                           "the tool gave no answer", Kind::kToolError});
  return checked_result(authority, target, *tool, std::move(*result));
}

}  // namespace cordon
