#pragma once
// Tools of the host: the way of handlers from a caller to its sandbox, and their calls.
//
// Handlers are functions and cannot be in a message: a sandbox finds those of its call here. They
// run on threads of their own, since they may block for as long as they like.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "actors/operations.h"
#include "actors/services.h"
#include "actors/wire_messages.h"
#include "capabilities/tools/tool_call.h"
#include "capabilities/tools/tool_set.h"

namespace cordon {

// One call's use of its tools. Destruction closes it. Not thread-safe.
class ToolSession {
 public:
  // The JSON text that the guest gets, or why it gets none.
  using OnEnd = std::function<void(OperationResult<std::string>)>;
  using OnUnreadable = std::function<void()>;

  ToolSession(std::shared_ptr<const OperationContext> context, BlockingExecutor& threads)
      : context_(std::move(context)), threads_(threads) {}
  ~ToolSession() { close(); }
  ToolSession(const ToolSession&) = delete;
  ToolSession& operator=(const ToolSession&) = delete;

  // `frame` holds a request for a tool. `on_end` is called once, on any thread; before that, maybe,
  // `on_unreadable`: the child broke the session protocol.
  void start(const ChildFrameMessage& frame, OnEnd on_end, OnUnreadable on_unreadable);
  // Cancels what is in flight. It ends at once: nobody waits for handlers.
  void close();

 private:
  const std::shared_ptr<const OperationContext> context_;
  BlockingExecutor& threads_;
  std::vector<std::weak_ptr<ToolCall::State>> running_;
};

// Thread-safe. Handlers run on `threads`.
class ToolService {
 public:
  explicit ToolService(BlockingExecutor& threads) : threads_(threads) {}

  // For the call with this id, until it is withdrawn.
  void offer(const std::string& call, std::shared_ptr<const ToolSet> tools);
  void withdraw(const std::string& call);
  // Null: the call has none.
  std::shared_ptr<const ToolSet> find(const std::string& call) const;

  std::shared_ptr<ToolSession> open_session(std::shared_ptr<const OperationContext> context) {
    return std::make_shared<ToolSession>(std::move(context), threads_);
  }

 private:
  BlockingExecutor& threads_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const ToolSet>> offers_;
};

}  // namespace cordon
