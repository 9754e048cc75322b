#pragma once
// Between the plain API and the actors: one short-lived actor per call that asks the pool, hands on
// console lines, and gives the answer to a callback. Invariant: it is called exactly once.

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>

#include <functional>
#include <memory>
#include <string_view>

#include <cordon/program.h>

#include "actors/wire_messages.h"

namespace cordon {

using ConsoleCallback = std::function<void(std::string_view level, std::string_view text)>;

// Held as long as the actor lives, and until its request is on its way to the pool.
struct CallerTokens {
  std::shared_ptr<const void> presence = {};
  std::shared_ptr<const void> handover = {};
};

struct CallerState {
  std::shared_ptr<const void> presence;  // first, so that it is given back last
  AnswerCallback on_answer;              // empty once it was called
  static inline const char* name = "cordon.caller";

  ~CallerState();  // a call without an answer was shut down
};

// Takes (terminate_atom) as well: it passes it on after the call, so that none gets lost.
caf::behavior caller_actor(caf::stateful_actor<CallerState>* self, SandboxActor pool,
                           CallMessage call, AnswerCallback on_answer, ConsoleCallback on_console,
                           CallerTokens tokens);

}  // namespace cordon
