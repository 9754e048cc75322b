#pragma once
// The broker actor: turns one call's capability requests into checked operations.
//
// It waits for budget and auditor without a limit: the call's end has one (sandbox_actor.h).
//
// Invariant: every request it accepts is answered exactly once, after its one event is in the log;
// only refusals past the first for the operation budget have no event, and are counted.

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "actors/monitor.h"
#include "actors/operations.h"
#include "actors/services.h"
#include "actors/wire_messages.h"

namespace cordon {

class ToolSession;

// In-process only.
struct FetchArrival {
  std::shared_ptr<const OperationResult<FetchedResponse>> result;
  std::chrono::steady_clock::duration took{};
};

struct SpawnArrival {
  std::shared_ptr<const SpawnedCommand> command;
  std::chrono::steady_clock::duration took{};
};

struct ToolArrival {
  std::shared_ptr<const OperationResult<std::string>> result;
  std::chrono::steady_clock::duration took{};
};

}  // namespace cordon

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cordon::FetchArrival)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cordon::SpawnArrival)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cordon::ToolArrival)

namespace cordon {

struct BrokerSetup {
  std::shared_ptr<const OperationContext> context;
  BudgetActor budget;
  AuditorActor auditor;
  BlockingExecutor* blocking = nullptr;
  std::shared_ptr<NetworkSession> network;    // null: no network grant
  std::shared_ptr<CommandSession> commands;   // null: no subprocess grant
  std::shared_ptr<ToolSession> tools;         // not null
  std::shared_ptr<const void> presence = {};  // held as long as the actor lives
};

struct BrokerState {
  struct InFlight {
    ChildFrameMessage frame;
    caf::typed_response_promise<HostFrameMessage> promise;
    std::uint64_t lease = 0;  // serial to settle; 0: none
    bool recording = false;   // the auditor has its event
  };
  BrokerSetup setup;
  std::unordered_map<std::uint64_t, InFlight> in_flight;
  std::optional<Monitor> auditor_watch;  // once it was sent an event
  std::uint64_t operations = 0;
  std::uint64_t unrecorded = 0;
  std::shared_ptr<const SubprocessReport> subprocess;  // of the latest command
  bool concluding = false;
  std::optional<caf::typed_response_promise<BrokerClosedMessage>> concluded;
  static inline const char* name = "cordon.broker";

  ~BrokerState();  // answers what is still open
};

// The messages that a broker gets from itself besides its interface: a blocking operation is over,
// or its request could not be read; a server has answered, or failed to; a command is over; a tool
// has answered, or failed to.
using BrokerImpl = BrokerActor::extend<
    caf::reacts_to<performed_atom, std::uint64_t, HostFrameMessage, AuditRecordMessage>,
    caf::reacts_to<performed_atom, std::uint64_t>,
    caf::reacts_to<fetched_atom, std::uint64_t, FetchArrival>,
    caf::reacts_to<spawned_atom, std::uint64_t, SpawnArrival>,
    caf::reacts_to<answered_atom, std::uint64_t, ToolArrival>>;

BrokerImpl::behavior_type broker_actor(BrokerImpl::stateful_pointer<BrokerState> self,
                                       BrokerSetup setup);

}  // namespace cordon
