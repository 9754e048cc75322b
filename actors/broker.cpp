#include "actors/broker.h"

#include <caf/send.hpp>

#include <kj/exception.h>

#include <new>
#include <utility>
#include <vector>

#include "actors/out_of_memory.h"
#include "actors/subprocess_report.h"
#include "actors/tool_service.h"

namespace cordon {

namespace {

using Self = BrokerImpl::stateful_pointer<BrokerState>;

void finish_conclusion(BrokerState& state) {
  if (!state.concluded || !state.in_flight.empty()) return;
  state.concluded->deliver(BrokerClosedMessage::build([&](wire::BrokerClosed::Builder closed) {
    closed.setOperations(state.operations);
    closed.setUnrecorded(state.unrecorded);
    if (state.subprocess) write_report(closed.initSubprocess(), *state.subprocess);
  }));
  state.concluded.reset();
}

// Takes the operation out of the table and gives its lease back.
std::optional<BrokerState::InFlight> take(Self self, std::uint64_t key) {
  auto& state = self->state;
  const auto found = state.in_flight.find(key);
  if (found == state.in_flight.end()) return std::nullopt;
  BrokerState::InFlight operation = std::move(found->second);
  state.in_flight.erase(found);
  if (operation.lease != 0) {
    self->send(state.setup.budget, settle_atom_v,
               SettlementMessage::build([&](wire::Settlement::Builder settlement) {
                 settlement.setSerial(operation.lease);
               }));
  }
  return operation;
}

void fail(Self self, std::uint64_t key, ActorError error) {
  if (auto operation = take(self, key)) operation->promise.deliver(caf::error(error));
  finish_conclusion(self->state);
}

void reply(Self self, std::uint64_t key, const HostFrameMessage& frame) {
  if (auto operation = take(self, key)) operation->promise.deliver(frame);
  finish_conclusion(self->state);
}

// The event first, then the reply: what the guest has seen is in the log.
void record_and_reply(Self self, std::uint64_t key, const HostFrameMessage& frame,
                      const AuditRecordMessage& record) {
  auto& state = self->state;
  const auto& auditor = state.setup.auditor;
  if (!state.auditor_watch) {
    state.auditor_watch.emplace(self, caf::actor_cast<caf::strong_actor_ptr>(auditor));
  }
  if (const auto found = state.in_flight.find(key); found != state.in_flight.end()) {
    found->second.recording = true;
  }
  self->request(auditor, caf::infinite, record_atom_v, record)
      .then([self, key, frame](const AuditReceiptMessage&) { reply(self, key, frame); },
            [self, key](const caf::error&) { fail(self, key, ActorError::kAuditFailed); });
}

// An auditor of the service's own may go without a word to those whom it has not answered.
void on_auditor_gone(Self self) {
  std::vector<std::uint64_t> unanswered;
  for (const auto& [key, operation] : self->state.in_flight) {
    if (operation.recording) unanswered.push_back(key);
  }
  for (const std::uint64_t key : unanswered) fail(self, key, ActorError::kAuditFailed);
}

// What came of an operation elsewhere, made into its event and its reply by `performed_from`;
// nothing when the operation has ended meanwhile.
template <class PerformedFrom>
void finish(Self self, std::uint64_t key, PerformedFrom performed_from) {
  const auto& state = self->state;
  const auto found = state.in_flight.find(key);
  if (found == state.in_flight.end()) return;
  const ChildFrameMessage frame = found->second.frame;
  try {
    const auto view = frame.read();
    const Performed performed = performed_from(*state.setup.context, view->getRequest());
    record_and_reply(self, key, performed.reply, performed.record);
  } catch (const kj::Exception&) {  // in what only the event reads of the child's bytes
    fail(self, key, ActorError::kProtocol);
  }
}

void perform_elsewhere(Self self, std::uint64_t key, const ChildFrameMessage& frame) {
  const auto& setup = self->state.setup;
  setup.blocking->run(
      [me = caf::actor_cast<BrokerImpl>(self), key, frame, context = setup.context] {
        try {
          const auto view = frame.read();
          const Performed performed = perform_operation(*context, view->getRequest());
          caf::anon_send(me, performed_atom_v, key, performed.reply, performed.record);
        } catch (const kj::Exception&) {
          caf::anon_send(me, performed_atom_v, key);
        }
      });
}

void fetch(Self self, std::uint64_t key, wire::Request::Reader request) {
  auto& state = self->state;
  auto decided = decide_fetch(*state.setup.context, request);
  if (const auto* const refused = std::get_if<Performed>(&decided)) {
    return record_and_reply(self, key, refused->reply, refused->record);
  }
  auto& fetch = std::get<DecidedFetch>(decided);
  state.setup.network->fetch(
      fetch.request, std::move(fetch.body), fetch.max_body_bytes,
      [me = caf::actor_cast<BrokerImpl>(self), key,
       started = std::chrono::steady_clock::now()](OperationResult<FetchedResponse> result) {
        caf::anon_send(me, fetched_atom_v, key,
                       FetchArrival{std::make_shared<const OperationResult<FetchedResponse>>(
                                        std::move(result)),
                                    std::chrono::steady_clock::now() - started});
      });
}

void on_fetched(Self self, std::uint64_t key, const FetchArrival& arrival) {
  finish(self, key, [&](const OperationContext& context, wire::Request::Reader request) {
    return finish_fetch(context, request, *arrival.result, arrival.took);
  });
}

void spawn(Self self, std::uint64_t key, wire::Request::Reader request) {
  auto& state = self->state;
  auto decided = decide_spawn(*state.setup.context, request);
  if (const auto* const refused = std::get_if<Performed>(&decided)) {
    return record_and_reply(self, key, refused->reply, refused->record);
  }
  state.setup.commands->start(
      std::get<CheckedCommand>(std::move(decided)),
      [me = caf::actor_cast<BrokerImpl>(self), key,
       started = std::chrono::steady_clock::now()](SpawnedCommand command) {
        caf::anon_send(me, spawned_atom_v, key,
                       SpawnArrival{std::make_shared<const SpawnedCommand>(std::move(command)),
                                    std::chrono::steady_clock::now() - started});
      });
}

void on_spawned(Self self, std::uint64_t key, const SpawnArrival& arrival) {
  auto& state = self->state;
  if (arrival.command->report) state.subprocess = arrival.command->report;
  finish(self, key, [&](const OperationContext& context, wire::Request::Reader request) {
    return finish_spawn(context, request, *arrival.command, arrival.took);
  });
}

void use_tool(Self self, std::uint64_t key, const ChildFrameMessage& frame) {
  const auto& setup = self->state.setup;
  const auto me = caf::actor_cast<BrokerImpl>(self);
  const auto started = std::chrono::steady_clock::now();
  setup.tools->start(
      frame,
      [me, key, started](OperationResult<std::string> result) {
        caf::anon_send(
            me, answered_atom_v, key,
            ToolArrival{std::make_shared<const OperationResult<std::string>>(std::move(result)),
                        std::chrono::steady_clock::now() - started});
      },
      [me, key] { caf::anon_send(me, performed_atom_v, key); });
}

void on_answered(Self self, std::uint64_t key, const ToolArrival& arrival) {
  finish(self, key, [&](const OperationContext& context, wire::Request::Reader request) {
    return finish_tool(context, request, *arrival.result, arrival.took);
  });
}

void begin(Self self, std::uint64_t key, const ChildFrameMessage& frame,
           wire::Request::Reader request) {
  if (request.isFetchText()) return fetch(self, key, request);
  if (request.isSpawn()) return spawn(self, key, request);
  if (request.isTool()) return use_tool(self, key, frame);
  if (may_block(function_of(request).value())) return perform_elsewhere(self, key, frame);
  const Performed performed = perform_operation(*self->state.setup.context, request);
  record_and_reply(self, key, performed.reply, performed.record);
}

void on_lease(Self self, std::uint64_t key, const LeaseMessage& message) {
  auto& state = self->state;
  const auto found = state.in_flight.find(key);
  if (found == state.in_flight.end()) return;
  const ChildFrameMessage frame = found->second.frame;
  const auto view = frame.read();
  const auto request = view->getRequest();
  const auto lease = message.read();
  const auto& context = *state.setup.context;

  if (!lease->getGranted()) {
    const Performed refused = refuse_for_budget(context, request, *lease);
    if (lease->getFirstRefusal()) return record_and_reply(self, key, refused.reply, refused.record);
    ++state.unrecorded;
    return reply(self, key, refused.reply);
  }
  found->second.lease = lease->getSerial();
  if (state.concluding) {
    const Performed cancelled = cancel_operation(context, request);
    return record_and_reply(self, key, cancelled.reply, cancelled.record);
  }
  try {
    begin(self, key, frame, request);
  } catch (const std::bad_alloc&) {
    const Performed failed = fail_for_memory(context, request);
    record_and_reply(self, key, failed.reply, failed.record);
  }
}

void ask_for_lease(Self self, std::uint64_t key, wire::Function function) {
  const auto& setup = self->state.setup;
  self->request(setup.budget, caf::infinite, lease_atom_v,
                LeaseRequestMessage::build(
                    [&](wire::LeaseRequest::Builder request) { request.setFunction(function); }))
      .then(
          [self, key](const LeaseMessage& lease) {
            try {
              on_lease(self, key, lease);
            } catch (const kj::Exception&) {
              fail(self, key, ActorError::kProtocol);
            }
          },
          [self, key](const caf::error&) { fail(self, key, ActorError::kShutDown); });
}

}  // namespace

BrokerState::~BrokerState() {
  for (auto& [key, operation] : in_flight) {
    operation.promise.deliver(caf::error(ActorError::kShutDown));
  }
  if (concluded) concluded->deliver(caf::error(ActorError::kShutDown));
}

BrokerImpl::behavior_type broker_actor(Self self, BrokerSetup setup) {
  self->state.setup = std::move(setup);
  end_when_out_of_memory(self, [] {});
  self->set_down_handler([self](const caf::down_msg&) { on_auditor_gone(self); });
  return {
      [self](perform_atom, const ChildFrameMessage& frame) -> caf::result<HostFrameMessage> {
        auto& state = self->state;
        if (state.concluding) return caf::error(ActorError::kShutDown);
        std::optional<wire::Function> function;
        try {
          function = function_of(frame.read()->getRequest());
        } catch (const kj::Exception&) {
        }
        if (!function) return caf::error(ActorError::kProtocol);
        const std::uint64_t key = ++state.operations;
        auto promise = self->make_response_promise<HostFrameMessage>();
        state.in_flight.emplace(key, BrokerState::InFlight{frame, promise});
        ask_for_lease(self, key, *function);
        return promise;
      },
      [self](conclude_atom) -> caf::result<BrokerClosedMessage> {
        auto& state = self->state;
        state.concluding = true;
        if (state.setup.network) state.setup.network->close();
        if (state.setup.commands) state.setup.commands->close();
        state.setup.tools->close();
        auto promise = self->make_response_promise<BrokerClosedMessage>();
        state.concluded = promise;
        finish_conclusion(state);
        return promise;
      },
      [self](performed_atom, std::uint64_t key, const HostFrameMessage& frame,
             const AuditRecordMessage& record) { record_and_reply(self, key, frame, record); },
      [self](fetched_atom, std::uint64_t key, const FetchArrival& arrival) {
        on_fetched(self, key, arrival);
      },
      [self](spawned_atom, std::uint64_t key, const SpawnArrival& arrival) {
        on_spawned(self, key, arrival);
      },
      [self](answered_atom, std::uint64_t key, const ToolArrival& arrival) {
        on_answered(self, key, arrival);
      },
      [self](performed_atom, std::uint64_t key) { fail(self, key, ActorError::kProtocol); },
  };
}

}  // namespace cordon
