#pragma once
// The budget actor: one call's operations, handed out as leases.
//
// Invariant: never more than maxOperations leases are granted in all, never more than
// maxConcurrentOperations are unsettled, and waiting ones are granted in order of arrival.

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <deque>

#include "actors/interfaces.h"

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
    bool first_refusal = false;
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

struct BudgetState {
  struct Waiting {
    OperationLedger::Decision decision;
    caf::typed_response_promise<LeaseMessage> promise;
  };
  OperationLedger ledger{BudgetLimits{}};
  std::deque<Waiting> waiting;
  static inline const char* name = "cordon.budget";

  ~BudgetState();  // refuses who still waits
};

BudgetActor::behavior_type budget_actor(BudgetActor::stateful_pointer<BudgetState> self,
                                        BudgetLimits limits);

}  // namespace cordon
