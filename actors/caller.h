#pragma once
// Between the plain API and the actors: one short-lived actor per call that asks the pool, hands on
// console lines, and gives the answer to a callback. Invariant: it is called exactly once.

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <cordon/errors.h>
#include <cordon/outcome.h>

#include "actors/interfaces.h"

namespace cordon {

// Exactly one of the two: an outcome unless the call was refused.
using OutcomeCallback = std::function<void(Outcome outcome, std::optional<CallError> refused)>;
using ConsoleCallback = std::function<void(std::string_view level, std::string_view text)>;

struct CallerState {
  OutcomeCallback on_outcome;  // empty once it was called
  static inline const char* name = "cordon.caller";

  ~CallerState();  // a call without an answer was shut down
};

// Takes (terminate_atom) as well: it passes it on after the call, so that none gets lost.
caf::behavior caller_actor(caf::stateful_actor<CallerState>* self, SandboxActor pool,
                           CallMessage call, OutcomeCallback on_outcome,
                           ConsoleCallback on_console);

}  // namespace cordon
