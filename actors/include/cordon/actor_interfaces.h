#pragma once
// The typed interfaces of the actors. Everything that decides about a call goes through these.

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cordon/actor_messages.h>

namespace cordon {

// One call. The pool has the same interface, so a service can hold either.
//
//   run        the call, and who gets its console lines (may be null; receives
//              (console_atom, ConsoleMessage), all of them before the outcome is sent).
//              Errors: kBusy, kShutDown, kInvalidOptions with a text that names the field.
//              Everything else is an Outcome.
//   terminate  the id of the call to end; no effect when it is unknown or over.
//
// A call ends with the actor that asked for it: nobody is left to hear of it.
using SandboxActor = caf::typed_actor<
    caf::replies_to<run_atom, CallMessage, caf::strong_actor_ptr>::with<OutcomeMessage>,
    caf::reacts_to<terminate_atom, std::string>>;

// Runs a bounded number of calls at a time; a bounded number of others wait, and are started in
// turns of their tenants.
//
//   credit  how many calls the sender would like to send. Answered as soon as there is room for one
//           more, with how many it may send for sure, at most as many as it asked for: each keeps a
//           place free until the sender has sent a call or is gone. Calls without credit are
//           refused as kBusy when there is no room. Error: kShutDown.
//   drain   admits no more calls (kShutDown); answered when the last one is over.
using PoolActor =
    SandboxActor::extend<caf::replies_to<credit_atom, std::uint32_t>::with<std::uint32_t>,
                         caf::replies_to<drain_atom>::with<drain_atom>>;

// Turns one call's capability requests into checked operations.
//
//   perform   a frame that holds a `request`; answered with the `reply` frame for the child, after
//             its event is in the log. Errors: kProtocol, kAuditFailed.
//   conclude  the call is over: cancels what is in flight; answered when every operation has ended
//             and has its event.
using BrokerActor =
    caf::typed_actor<caf::replies_to<perform_atom, ChildFrameMessage>::with<HostFrameMessage>,
                     caf::replies_to<conclude_atom>::with<BrokerClosedMessage>>;

// Decides whether operations may start. Each call has a budget of its own that holds its limits; a
// service may add one that all its calls share. Such a budget can only refuse what the call's own
// would have granted.
//
//   lease   one operation wants to start; answered at once when it is refused, else when it may
//           start. No answer, or an error, ends the call.
//   settle  the operation with that serial is over. Serial 0: the call is, and holds nothing more.
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
