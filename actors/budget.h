#pragma once
// The budget actor: one call's operations, handed out as leases.
//
// Invariant: never more than maxOperations leases are granted in all, never more than
// maxConcurrentOperations are unsettled, and waiting ones are granted in order of arrival. A budget
// that calls share is asked for what these limits allow; what it granted is given back, at the
// latest when this actor ends.

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

#include "actors/monitor.h"
#include "actors/wire_messages.h"

namespace cordon {

struct BudgetLimits {
  std::uint64_t max_operations = 0;
  std::uint64_t max_concurrent_operations = 0;
};

BudgetLimits budget_limits(wire::Resources::Reader resources);

// The bookkeeping, free of actors.
class OperationLedger {
 public:
  explicit OperationLedger(const BudgetLimits& limits) : limits_(limits) {}

  struct Decision {
    std::uint64_t serial = 0;
    bool granted = false;
  };
  // One more operation wants to start.
  Decision admit();
  // Whether a granted operation may start now; if so it is running until settle().
  bool try_start();
  void settle();
  std::uint64_t max_operations() const { return limits_.max_operations; }

 private:
  BudgetLimits limits_;
  std::uint64_t requested_ = 0;
  std::uint64_t running_ = 0;
};

// The budget that a call shares with others, and what it is told about the call.
struct SharedBudget {
  BudgetActor budget;  // none: the call shares none
  std::string sandbox;
  std::string tenant;
};

struct BudgetState {
  struct Waiting {
    OperationLedger::Decision decision;
    wire::Function function = {};
    caf::typed_response_promise<LeaseMessage> promise;
  };
  OperationLedger ledger{BudgetLimits{}};
  std::deque<Waiting> waiting;
  SharedBudget shared;
  std::optional<Monitor> shared_watch;  // once it was asked
  bool refused = false;                 // some operation already was
  using Promise = caf::typed_response_promise<LeaseMessage>;
  std::unordered_map<std::uint64_t, Promise> asking;  // by serial: the shared budget's
  std::unordered_map<std::uint64_t, std::uint64_t> shared_serials;  // by serial
  static inline const char* name = "cordon.budget";

  ~BudgetState();  // refuses who still waits, gives back what is held
};

BudgetActor::behavior_type budget_actor(BudgetActor::stateful_pointer<BudgetState> self,
                                        BudgetLimits limits, SharedBudget shared);

}  // namespace cordon
