#pragma once
// The pool: a sandbox to its users. Admits calls, a bounded number at a time; more wait in a
// bounded queue in which tenants take turns; what does not fit is refused as busy before anything
// starts. A place promised as credit is nobody else's.
//
// When it is told to exit it ends every call it has, answers what waits with kShutDown, and stays
// until the last sandbox has answered.

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "actors/fair_queue.h"
#include "actors/metrics_registry.h"
#include "actors/services.h"
#include "actors/wire_messages.h"

namespace cordon {

struct PoolSetup {
  Services* services = nullptr;  // outlives every actor
  AuditorActor auditor;
  std::size_t max_concurrent_calls = 1;
  std::size_t max_queued_calls = 0;
  std::size_t max_concurrent_calls_per_tenant = 0;  // 0: no limit but the pool's
  BudgetActor shared_budget = {};                   // may be none
  MetricsRegistry* metrics = nullptr;               // outlives every actor; may be null
  caf::strong_actor_ptr guardian = {};              // the pool leaves with it; may be null
  std::shared_ptr<const void> presence = {};        // held as long as the actor or its calls live
};

struct PoolState {
  struct Waiting {
    CallMessage call;
    caf::strong_actor_ptr console_listener;
    caf::typed_response_promise<OutcomeMessage> promise;
    caf::actor_addr client;
    std::chrono::steady_clock::time_point since;
    bool on_credit = false;
    GaugeShare counted = {};
  };
  struct Active {
    SandboxActor sandbox;
    CallMessage call;
    caf::typed_response_promise<OutcomeMessage> promise;
    caf::actor_addr client;
    GaugeShare counted;
  };
  // Who has calls here or was promised places; monitored.
  struct Client {
    std::size_t calls = 0;
    std::size_t credits = 0;
    std::size_t asking = 0;
  };
  struct Asking {
    caf::actor_addr client;
    std::size_t wanted = 0;
    caf::typed_response_promise<std::uint32_t> promise;
  };

  PoolSetup setup;
  FairQueue<Waiting> waiting;
  std::map<std::string, Active> active;  // by call id
  std::unordered_set<std::string> ids;   // of all calls
  std::map<std::string, std::size_t> active_by_tenant;
  std::map<caf::actor_addr, Client> clients;
  std::deque<Asking> asking;
  std::size_t credits = 0;  // of all clients
  std::vector<caf::typed_response_promise<drain_atom>> drained;
  bool draining = false;
  bool leaving = false;
  static inline const char* name = "cordon.pool";

  ~PoolState();  // answers what is still open
};

PoolActor::behavior_type pool_actor(PoolActor::stateful_pointer<PoolState> self, PoolSetup setup);

}  // namespace cordon
