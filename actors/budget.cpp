#include "actors/budget.h"

#include <utility>

namespace cordon {

BudgetLimits budget_limits(wire::Resources::Reader resources) {
  return {
      .max_operations = resources.getMaxOperations(),
      .max_concurrent_operations = resources.getMaxConcurrentOperations(),
  };
}

OperationLedger::Decision OperationLedger::admit() {
  ++requested_;
  return {.serial = requested_,
          .granted = requested_ <= limits_.max_operations,
          .first_refusal = requested_ == limits_.max_operations + 1};
}

bool OperationLedger::try_start() {
  if (running_ >= limits_.max_concurrent_operations) return false;
  ++running_;
  return true;
}

void OperationLedger::settle() {
  if (running_ > 0) --running_;
}

namespace {

LeaseMessage lease_message(const OperationLedger& ledger, OperationLedger::Decision decision) {
  return LeaseMessage::build([&](wire::Lease::Builder lease) {
    lease.setSerial(decision.serial);
    lease.setGranted(decision.granted);
    lease.setFirstRefusal(decision.first_refusal);
    lease.setLimit(ledger.max_operations());
  });
}

}  // namespace

BudgetState::~BudgetState() {
  for (auto& each : waiting) each.promise.deliver(caf::error(ActorError::kShutDown));
}

BudgetActor::behavior_type budget_actor(BudgetActor::stateful_pointer<BudgetState> self,
                                        BudgetLimits limits) {
  self->state.ledger = OperationLedger(limits);
  return {
      [self](lease_atom, const LeaseRequestMessage&) -> caf::result<LeaseMessage> {
        auto& state = self->state;
        const auto decision = state.ledger.admit();
        if (!decision.granted || state.ledger.try_start()) {
          return lease_message(state.ledger, decision);
        }
        auto promise = self->make_response_promise<LeaseMessage>();
        state.waiting.push_back({decision, promise});
        return promise;
      },
      [self](settle_atom, const SettlementMessage&) {
        auto& state = self->state;
        state.ledger.settle();
        if (state.waiting.empty() || !state.ledger.try_start()) return;
        auto next = std::move(state.waiting.front());
        state.waiting.pop_front();
        next.promise.deliver(lease_message(state.ledger, next.decision));
      },
  };
}

}  // namespace cordon
