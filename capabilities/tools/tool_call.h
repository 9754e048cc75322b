#pragma once
// The state behind a ToolCall: one answer, and one cancellation at most.
//
// Invariant: `on_end` is called exactly once, with whatever came first, and is let go of then; a
// call that a handler keeps holds nothing of the runtime's afterwards.

#include <cordon/tools.h>

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "capabilities/operation.h"

namespace cordon {

struct ToolFailure {
  std::string message;
};
struct ToolDropped {};    // nobody is left who could answer
struct ToolCancelled {};  // the sandbox's call is over
// An OperationError: it was refused before a handler saw it.
using ToolAnswer =
    std::variant<nlohmann::json, ToolFailure, ToolDropped, ToolCancelled, OperationError>;

class ToolCall::State {
 public:
  using OnEnd = std::function<void(const State&, ToolAnswer)>;
  State(std::string asking, OnEnd on_end)
      : sandbox(std::move(asking)), on_end_(std::move(on_end)) {}
  ~State() { end(ToolDropped{}); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void end(ToolAnswer answer);
  // It ends and nobody is told: the call could not be read.
  void abandon();
  // Ends it, then calls back those who asked for it.
  void cancel();
  void on_cancel(std::function<void()> callback);
  bool cancelled() const noexcept { return cancelled_; }
  bool ended() const;

  const std::string sandbox;
  // Set before a handler sees the call, never changed after.
  std::string specifier;
  std::string tool;
  nlohmann::json arguments;

 private:
  mutable std::mutex mutex_;
  OnEnd on_end_;  // empty once it has ended
  std::vector<std::function<void()>> callbacks_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace cordon
