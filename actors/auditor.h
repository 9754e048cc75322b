#pragma once
// The auditor actor: gives every event its place in the log, writes it, and publishes it in order.
//
// Invariant: a receipt is sent only after the event is written and every subscriber was told.

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include <cordon/audit_event.h>

#include "actors/wire_messages.h"
#include "audit/log_writer.h"

namespace cordon {

using AuditSubscriber = std::function<void(const SandboxAuditEvent&)>;

struct AuditorState {
  std::optional<AuditLog> log;
  AuditSubscriber subscriber;
  static inline const char* name = "cordon.auditor";
};

// Opens the file, or makes a chain in memory alone. Throws Unavailable.
std::shared_ptr<AuditLog> open_audit_log(const std::optional<std::filesystem::path>& file);

// Takes the log out of `log`: a spawn's arguments must be copyable, a log is not.
AuditorActor::behavior_type auditor_actor(AuditorActor::stateful_pointer<AuditorState> self,
                                          const std::shared_ptr<AuditLog>& log,
                                          AuditSubscriber subscriber);

}  // namespace cordon
