#pragma once
// The auditor actor: gives every event its place in the log, has it written, and publishes it in
// order.
//
// Invariant: a receipt is sent only after the event is as durable as was asked and every subscriber
// was told. It waits for no disk: where that may happen, a thread of its own writes.

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <cordon/audit_event.h>

#include "actors/auditor_thread.h"
#include "actors/wire_messages.h"
#include "audit/audit_log.h"

namespace cordon {

// In-process only.
struct GroupWritten {
  std::shared_ptr<const AuditorThread::Group> group;
};

}  // namespace cordon

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cordon::GroupWritten)

namespace cordon {

using AuditSubscriber = std::function<void(const SandboxAuditEvent&)>;

struct AuditorSetup {
  // Emptied: a spawn's arguments must be copyable, a log is not.
  std::shared_ptr<AuditLog> log = std::make_shared<AuditLog>();
  AuditSubscriber publish = {};
  // Events that may share one commit on a thread of their own; 0: the actor writes them itself.
  std::size_t group_limit = 0;
  std::shared_ptr<BlockingThreads> thread = nullptr;  // the auditor's alone; null without a limit
  // Answers as if written what could not be.
  bool best_effort = false;
  std::shared_ptr<std::atomic<std::uint64_t>> lost =
      std::make_shared<std::atomic<std::uint64_t>>(0);  // events that could not be written
};

using AuditorImpl = AuditorActor::extend<caf::reacts_to<written_atom, GroupWritten>>;

struct AuditorState {
  AuditorSetup setup;
  std::optional<AuditLog> log;  // written by the actor itself
  std::string head;             // of a log that the thread writes
  std::uint64_t last_key = 0;
  std::map<std::uint64_t, caf::typed_response_promise<AuditReceiptMessage>> waiting;
  std::unique_ptr<AuditorThread> thread;
  static inline const char* name = "cordon.auditor";

  ~AuditorState();  // answers who still waits, and closes the log
};

AuditorImpl::behavior_type auditor_actor(AuditorImpl::stateful_pointer<AuditorState> self,
                                         AuditorSetup setup);

}  // namespace cordon
