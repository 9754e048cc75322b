#pragma once
// The pool: a sandbox to its users. Admits calls, a bounded number at a time; more wait in a
// bounded queue in order of arrival; what does not fit is refused as busy before anything starts.
//
// When it is told to exit it ends every call it has, answers what waits with kShutDown, and stays
// until the last sandbox has answered.

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "actors/interfaces.h"
#include "actors/services.h"

namespace cordon {

struct PoolSetup {
  Services* services = nullptr;  // outlives every actor
  AuditorActor auditor;
  std::size_t max_concurrent_calls = 1;
  std::size_t max_queued_calls = 0;
};

struct PoolState {
  struct Waiting {
    CallMessage call;
    caf::strong_actor_ptr console_listener;
    caf::typed_response_promise<OutcomeMessage> promise;
    std::chrono::steady_clock::time_point since;
  };
  struct Active {
    SandboxActor sandbox;
    caf::typed_response_promise<OutcomeMessage> promise;
  };
  PoolSetup setup;
  std::deque<Waiting> waiting;
  std::map<std::string, Active> active;  // by call id
  bool leaving = false;
  static inline const char* name = "cordon.pool";

  ~PoolState();  // answers what is still open
};

SandboxActor::behavior_type pool_actor(SandboxActor::stateful_pointer<PoolState> self,
                                       PoolSetup setup);

}  // namespace cordon
