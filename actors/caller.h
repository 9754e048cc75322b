#pragma once
// Between the plain API and the actors: one short-lived actor per call that asks the pool, hands on
// console lines, and fulfils a promise. Invariant: the promise is fulfilled exactly once.

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include <cordon/outcome.h>

#include "actors/interfaces.h"

namespace cordon {

using ConsoleCallback = std::function<void(std::string_view level, std::string_view text)>;

struct CallerState {
  std::shared_ptr<std::promise<Outcome>> promise;
  static inline const char* name = "cordon.caller";

  ~CallerState();  // a call without an answer was shut down
};

// Takes (terminate_atom) as well: it passes it on after the call, so that none gets lost.
caf::behavior caller_actor(caf::stateful_actor<CallerState>* self, SandboxActor pool,
                           CallMessage call, std::shared_ptr<std::promise<Outcome>> promise,
                           ConsoleCallback on_console);

}  // namespace cordon
