#include "actors/budget.h"

#include <caf/send.hpp>

#include <utility>
#include <vector>

#include "actors/out_of_memory.h"
#include "actors/wire_text.h"

namespace cordon {

BudgetLimits budget_limits(wire::Resources::Reader resources) {
  return {
      .max_operations = resources.getMaxOperations(),
      .max_concurrent_operations = resources.getMaxConcurrentOperations(),
  };
}

OperationLedger::Decision OperationLedger::admit() {
  ++requested_;
  return {.serial = requested_, .granted = requested_ <= limits_.max_operations};
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

using Self = BudgetActor::stateful_pointer<BudgetState>;

void start_next(Self self);

LeaseMessage granted(std::uint64_t serial) {
  return LeaseMessage::build([&](wire::Lease::Builder lease) {
    lease.setSerial(serial);
    lease.setGranted(true);
  });
}

// An empty reason: the call's own limit.
LeaseMessage refused(BudgetState& state, std::uint64_t serial, std::string_view reason) {
  return LeaseMessage::build([&](wire::Lease::Builder lease) {
    lease.setSerial(serial);
    lease.setFirstRefusal(!std::exchange(state.refused, true));
    lease.setLimit(state.ledger.max_operations());
    if (!reason.empty()) lease.setReason(as_kj(std::string(reason)));
  });
}

SettlementMessage shared_settlement(const SharedBudget& shared, std::uint64_t serial) {
  return SettlementMessage::build([&](wire::Settlement::Builder out) {
    out.setSerial(serial);
    out.setSandbox(as_kj(shared.sandbox));
    out.setTenant(as_kj(shared.tenant));
  });
}

void free_place(Self self) {
  self->state.ledger.settle();
  start_next(self);
}

// None: it was answered when the shared budget went.
std::optional<BudgetState::Promise> take_asking(BudgetState& state, std::uint64_t serial) {
  auto found = state.asking.extract(serial);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

void fail_asking(Self self, std::uint64_t serial) {
  auto promise = take_asking(self->state, serial);
  if (!promise) return;
  promise->deliver(caf::error(ActorError::kShutDown));
  free_place(self);
}

// An actor of the service's own may go without a word to those whom it has not answered.
void on_shared_budget_gone(Self self) {
  std::vector<std::uint64_t> unanswered;
  for (const auto& [serial, promise] : self->state.asking) unanswered.push_back(serial);
  for (const std::uint64_t serial : unanswered) fail_asking(self, serial);
}

void ask_shared(Self self, BudgetState::Waiting operation) {
  auto& state = self->state;
  if (!state.shared_watch) {
    state.shared_watch.emplace(self, caf::actor_cast<caf::strong_actor_ptr>(state.shared.budget));
  }
  const auto request = LeaseRequestMessage::build([&](wire::LeaseRequest::Builder out) {
    out.setFunction(operation.function);
    out.setSandbox(as_kj(state.shared.sandbox));
    out.setTenant(as_kj(state.shared.tenant));
  });
  const std::uint64_t serial = operation.decision.serial;
  state.asking.emplace(serial, std::move(operation.promise));
  self->request(state.shared.budget, caf::infinite, lease_atom_v, request)
      .then(
          [self, serial](const LeaseMessage& answer) {
            auto promise = take_asking(self->state, serial);
            if (!promise) return;
            const auto lease = answer.read();
            if (lease->getGranted()) {
              self->state.shared_serials.emplace(serial, lease->getSerial());
              promise->deliver(granted(serial));
              return;
            }
            const auto reason =
                lease->hasReason() ? as_view(lease->getReason()) : "no reason given";
            promise->deliver(refused(self->state, serial, reason));
            free_place(self);
          },
          [self, serial](const caf::error&) { fail_asking(self, serial); });
}

// Its place among those that run is taken.
void start(Self self, BudgetState::Waiting operation) {
  if (self->state.shared.budget) return ask_shared(self, std::move(operation));
  operation.promise.deliver(granted(operation.decision.serial));
}

void start_next(Self self) {
  auto& state = self->state;
  if (state.waiting.empty() || !state.ledger.try_start()) return;
  auto next = std::move(state.waiting.front());
  state.waiting.pop_front();
  start(self, std::move(next));
}

}  // namespace

BudgetState::~BudgetState() {
  for (auto& each : waiting) each.promise.deliver(caf::error(ActorError::kShutDown));
  for (auto& [serial, promise] : asking) promise.deliver(caf::error(ActorError::kShutDown));
  if (shared_watch) caf::anon_send(shared.budget, settle_atom_v, shared_settlement(shared, 0));
}

BudgetActor::behavior_type budget_actor(Self self, BudgetLimits limits, SharedBudget shared) {
  self->state.ledger = OperationLedger(limits);
  self->state.shared = std::move(shared);
  end_when_out_of_memory(self, [] {});
  self->set_down_handler([self](const caf::down_msg&) { on_shared_budget_gone(self); });
  return {
      [self](lease_atom, const LeaseRequestMessage& request) -> caf::result<LeaseMessage> {
        auto& state = self->state;
        const auto decision = state.ledger.admit();
        if (!decision.granted) return refused(state, decision.serial, {});
        auto promise = self->make_response_promise<LeaseMessage>();
        BudgetState::Waiting operation{decision, request.read()->getFunction(), promise};
        if (state.ledger.try_start()) {
          start(self, std::move(operation));
        } else {
          state.waiting.push_back(std::move(operation));
        }
        return promise;
      },
      [self](settle_atom, const SettlementMessage& settlement) {
        auto& state = self->state;
        const auto held = state.shared_serials.find(settlement.read()->getSerial());
        if (held != state.shared_serials.end()) {
          self->send(state.shared.budget, settle_atom_v,
                     shared_settlement(state.shared, held->second));
          state.shared_serials.erase(held);
        }
        free_place(self);
      },
  };
}

}  // namespace cordon
