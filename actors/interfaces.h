#pragma once
// The typed interfaces of the actors. Everything that decides about a call goes through these.

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include "actors/message_types.h"

namespace cordon {

// One call. The pool has the same interface, so a service can hold either.
//
//   run        the call, and who gets its console lines (may be null; receives
//              (console_atom, ConsoleMessage), all of them before the outcome is sent).
//              Errors: kBusy, kShutDown, kInvalidOptions with a text that names the field.
//              Everything else is an Outcome.
//   terminate  the id of the call to end; no effect when it is unknown or over.
using SandboxActor = caf::typed_actor<
    caf::replies_to<run_atom, CallMessage, caf::strong_actor_ptr>::with<OutcomeMessage>,
    caf::reacts_to<terminate_atom, std::string>>;

// Turns one call's capability requests into checked operations.
//
//   perform   a frame that holds a `request`; answered with the `reply` frame for the child, after
//             its event is in the log. Errors: kProtocol, kAuditFailed.
//   conclude  the call is over: cancels what is in flight; answered when every operation has ended
//             and has its event.
using BrokerActor =
    caf::typed_actor<caf::replies_to<perform_atom, ChildFrameMessage>::with<HostFrameMessage>,
                     caf::replies_to<conclude_atom>::with<BrokerClosedMessage>>;

// Holds one call's limits.
//
//   lease   one operation wants to start; answered at once when it is refused, else when fewer than
//           maxConcurrentOperations are unsettled.
//   settle  that operation is over.
using BudgetActor =
    caf::typed_actor<caf::replies_to<lease_atom, LeaseRequestMessage>::with<LeaseMessage>,
                     caf::reacts_to<settle_atom, SettlementMessage>>;

// Orders, chains and publishes events; one per system.
//
//   record  answered when the event is in the log. Error: kAuditFailed.
//   head    the hash of the newest event.
using AuditorActor =
    caf::typed_actor<caf::replies_to<record_atom, AuditRecordMessage>::with<AuditReceiptMessage>,
                     caf::replies_to<head_atom>::with<std::string>>;

}  // namespace cordon
