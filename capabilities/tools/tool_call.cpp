#include "capabilities/tools/tool_call.h"

#include <exception>
#include <utility>

namespace cordon {

void ToolCall::State::end(ToolAnswer answer) {
  OnEnd on_end;
  std::vector<std::function<void()>> released;  // destroyed without the lock: they may hold calls
  {
    const std::lock_guard lock(mutex_);
    on_end = std::exchange(on_end_, nullptr);
    if (on_end) released.swap(callbacks_);
  }
  if (on_end) on_end(*this, std::move(answer));
}

void ToolCall::State::abandon() {
  const std::lock_guard lock(mutex_);
  on_end_ = nullptr;
}

void ToolCall::State::cancel() {
  OnEnd on_end;
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    on_end = std::exchange(on_end_, nullptr);
    if (!on_end) return;
    cancelled_ = true;
    callbacks.swap(callbacks_);
  }
  on_end(*this, ToolCancelled{});
  for (const auto& callback : callbacks) {
    try {
      callback();
    } catch (...) {  // one faulty tool must not keep the others from being cancelled
    }
  }
}

void ToolCall::State::on_cancel(std::function<void()> callback) {
  {
    const std::lock_guard lock(mutex_);
    if (on_end_) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  if (cancelled_) callback();
}

bool ToolCall::State::ended() const {
  const std::lock_guard lock(mutex_);
  return !on_end_;
}

const nlohmann::json& ToolCall::arguments() const noexcept { return state_->arguments; }
const std::string& ToolCall::specifier() const noexcept { return state_->specifier; }
const std::string& ToolCall::tool() const noexcept { return state_->tool; }
const std::string& ToolCall::sandbox() const noexcept { return state_->sandbox; }
bool ToolCall::cancelled() const noexcept { return state_->cancelled(); }
void ToolCall::on_cancel(std::function<void()> callback) const {
  state_->on_cancel(std::move(callback));
}
void ToolCall::reply(nlohmann::json result) const { state_->end(std::move(result)); }
void ToolCall::fail(std::string message) const { state_->end(ToolFailure{std::move(message)}); }

ToolHandler answer_with(std::function<nlohmann::json(const ToolCall& call)> function) {
  return [function = std::move(function)](const ToolCall& call) { call.reply(function(call)); };
}

}  // namespace cordon
