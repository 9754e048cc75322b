#pragma once
// The Outcome message of one call, from what the sandbox actor knows at its end.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "actors/call_end.h"
#include "actors/wire_messages.h"

namespace cordon {

struct OutcomeParts {
  const CallEnd& end;
  const CallMessage& call;
  const std::optional<std::string>& result;
  const std::string& console;
  bool console_truncated = false;
  const std::optional<ChildExit>& exit;
  const BrokerClosedMessage& closed;
  std::chrono::microseconds wall{0};
  std::chrono::microseconds queued{0};
  std::shared_ptr<const CompiledModule> module;  // maps positions; may be null
  std::shared_ptr<const CompiledModule> tests;   // likewise
};

OutcomeMessage outcome_message(const OutcomeParts& parts);

// Of a call whose sandbox cannot tell any more.
OutcomeMessage outcome_without_sandbox(const CallMessage& call, const CallFacts& facts);

}  // namespace cordon
