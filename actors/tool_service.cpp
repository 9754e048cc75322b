#include "actors/tool_service.h"

#include <kj/exception.h>

#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "actors/json_text.h"
#include "actors/wire_text.h"
#include "capabilities/shortage.h"
#include "capabilities/tools/tool_use.h"

namespace cordon {

namespace {

using State = ToolCall::State;

constexpr const char* kTool = "Tool";

// Does all that comes before the handler. An error ends the call at once; so does nothing: the
// child's request cannot be read, or its arguments are no JSON text, which only a forger sends.
std::optional<OperationResult<const CheckedTool*>> prepare(const Authority& authority,
                                                           wire::ToolUse::Reader use,
                                                           State& state) {
  std::optional<std::string_view> json;
  if (const auto arguments = use.getArguments(); arguments.isJson()) {
    const auto chars = arguments.getJson().asChars();
    json.emplace(chars.begin(), chars.size());
  }
  const auto bytes = json ? std::optional<std::uint64_t>(json->size()) : std::nullopt;
  auto tool = find_tool(authority, as_view(use.getSpecifier()), as_view(use.getName()), bytes);
  if (!tool) return tool;
  if (find_json_error(*json)) return std::nullopt;
  auto arguments = check_arguments(**tool, nlohmann::json::parse(readable_json(*json)),
                                   [&state] { return state.ended(); });
  if (!arguments) return arguments.error();
  state.specifier = as_string(use.getSpecifier());
  state.tool = (*tool)->name;
  state.arguments = *std::move(arguments);
  return tool;
}

// On whichever thread the tool answers.
OperationResult<std::string> result_of(const Authority& authority, const State& call,
                                       ToolAnswer answer) {
  try {
    return tool_result(authority, call, std::move(answer));
  } catch (const std::bad_alloc&) {
    return OperationError(out_of_memory(kTool));
  }
}

void handle(const CheckedTool& tool, const std::shared_ptr<State>& state) {
  try {
    tool.handler(ToolCall(state));
  } catch (const std::bad_alloc&) {
    state->end(OperationError(out_of_memory(kTool)));
  } catch (const std::exception& thrown) {
    state->end(ToolFailure{thrown.what()});
  } catch (...) {
    state->end(ToolFailure{"the tool failed"});
  }
}

}  // namespace

void ToolSession::start(const ChildFrameMessage& frame, OnEnd on_end, OnUnreadable on_unreadable) {
  std::erase_if(running_, [](const auto& state) { return state.expired(); });
  auto state = std::make_shared<State>(
      context_->sandbox,
      [context = context_, on_end = std::move(on_end)](const State& call, ToolAnswer answer) {
        on_end(result_of(context->authority, call, std::move(answer)));
      });
  running_.push_back(state);
  const auto use = [context = context_, frame, state, on_unreadable = std::move(on_unreadable)] {
    if (state->ended()) return;
    std::optional<OperationResult<const CheckedTool*>> tool;
    try {
      const auto view = frame.read();
      tool = prepare(context->authority, view->getRequest().getTool(), *state);
    } catch (const kj::Exception&) {
    } catch (const std::bad_alloc&) {
      tool = OperationError(out_of_memory(kTool));
    }
    if (!tool) {
      state->abandon();
      return on_unreadable();
    }
    if (!*tool) return state->end(tool->error());
    handle(***tool, state);
  };
  try {
    threads_.run(use);
  } catch (const std::system_error&) {
    const std::string why = "the host has no thread for it";
    state->end(OperationError(
        OperationFailure{"Tool failed: " + why + "; " + thread_failure().remedy, why}));
  }
}

void ToolSession::close() {
  for (const auto& running : std::exchange(running_, {})) {
    if (const auto state = running.lock()) state->cancel();
  }
}

void ToolService::offer(const std::string& call, std::shared_ptr<const ToolSet> tools) {
  const std::lock_guard lock(mutex_);
  offers_[call] = std::move(tools);
}

void ToolService::withdraw(const std::string& call) {
  const std::lock_guard lock(mutex_);
  offers_.erase(call);
}

std::shared_ptr<const ToolSet> ToolService::find(const std::string& call) const {
  const std::lock_guard lock(mutex_);
  const auto found = offers_.find(call);
  return found == offers_.end() ? nullptr : found->second;
}

}  // namespace cordon
