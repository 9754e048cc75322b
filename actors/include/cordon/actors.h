#pragma once
// Sandboxes as actors of a CAF service. The interfaces are in <cordon/actor_interfaces.h>.
//
//   caf::actor_system_config config;
//   cordon::configure(config);
//   caf::actor_system system(config);
//   cordon::Runtime runtime = cordon::start_runtime(system);
//   cordon::PoolActor pool = cordon::pool_of(runtime);
//   ...
//   self->request(pool, 40s, cordon::run_atom_v, cordon::make_call(call), listener)
//       .then([](const cordon::OutcomeMessage& message) { cordon::read_outcome(message); ... });
//
// Every function may be called from any thread. The runtime has to go before the system, and its
// destructor waits for its actors: not on a thread of the system's scheduler.

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <cordon/actor_interfaces.h>
#include <cordon/audit_event.h>
#include <cordon/options.h>
#include <cordon/outcome.h>
#include <cordon/program.h>
#include <cordon/runtime.h>
#include <cordon/value.h>

namespace cordon {

// ----------------------------------------------------------------------------- actors and systems

// Adds Cordon's message types and error codes. Call before the actor_system is made.
void configure(caf::actor_system_config& config);

// Actors of the service that a runtime uses.
struct ActorOptions {
  AuditorActor auditor = {};  // none: one of the runtime's own, for its options about the audit
  BudgetActor budget = {};    // asked besides each call's own; none: calls share no budget
};

// A runtime whose actors live in `system`. Throws std::invalid_argument when configure() was not
// called, and for an auditor together with options about the audit; Unavailable.
Runtime start_runtime(caf::actor_system& system, RuntimeOptions options = {},
                      ActorOptions actors = {});

// The pool that the plain API uses as well.
PoolActor pool_of(const Runtime& runtime);
AuditorActor auditor_of(const Runtime& runtime);

struct PoolOptions {
  std::size_t max_concurrent_calls = 1;  // at least 1
  std::size_t max_queued_calls = 1024;
  std::size_t max_concurrent_calls_per_tenant = 0;  // 0: no limit but the pool's
};

// One more pool, with places of its own. It goes with the runtime at the latest. Sending it an exit
// message ends its calls; it leaves when they are answered. Throws std::invalid_argument.
PoolActor spawn_pool(Runtime& runtime, const PoolOptions& options);

// For exactly one call, outside any pool. It leaves when the call is answered, and with the runtime
// at the latest.
SandboxActor spawn_sandbox(Runtime& runtime);

// Writes the log and calls `on_audit` as RuntimeOptions says. Throws AuditUnavailable when the log
// cannot be opened.
AuditorActor spawn_auditor(caf::actor_system& system, const AuditOptions& options = {},
                           std::function<void(const SandboxAuditEvent&)> on_audit = {});

// -------------------------------------------------------------------------------------- messages

// Of SandboxActor.
struct Call {
  std::string id = {};  // 1 to 128 letters, digits, '.', '_', ':', '-'; unique. Empty: a fresh one
  std::string source = {};                   // TypeScript
  Value arguments = Value::from_json("[]");  // a JSON array
  AISandboxOptions options = {};             // checked when the call starts
  Entry entry = Entry::kModule;
  std::string source_name = "main.ts";
  std::string tenant = {};
  // As in ProgramOptions.
  std::optional<std::string> tests = {};
  bool assert_module = false;
  std::optional<std::uint64_t> seed = {};
  std::optional<std::chrono::sys_time<std::chrono::milliseconds>> clock = {};
};

struct ConsoleLine {
  std::string level = "log";  // "log", "info", "warn", "error", "debug"
  std::string text = {};      // hostile: escape control characters before a person reads it
  bool truncated = false;
};

// Throws std::invalid_argument when `arguments` is not an array or `id` is not one, InvalidOption
// for tools, which no message can hold.
CallMessage make_call(const Call& call);
Call read_call(const CallMessage& message);
OutcomeMessage make_outcome(const Outcome& outcome);
Outcome read_outcome(const OutcomeMessage& message);
ConsoleMessage make_console_line(const ConsoleLine& line);
ConsoleLine read_console_line(const ConsoleMessage& message);

// Of BudgetActor, as seen by a budget that calls share.
struct LeaseRequest {
  std::string sandbox = {};   // the call's id
  std::string tenant = {};    // as in the call
  std::string function = {};  // "readText", ...
};

struct Lease {
  std::uint64_t serial = 0;  // the budget's own, from 1; comes back in the settlement
  bool granted = false;
  std::string reason = {};  // of a refusal: the guest and the audit see it
};

struct Settlement {
  std::string sandbox = {};
  std::string tenant = {};
  std::uint64_t serial = 0;  // 0: the call is over and holds nothing more
};

LeaseRequestMessage make_lease_request(const LeaseRequest& request);
LeaseRequest read_lease_request(const LeaseRequestMessage& message);
LeaseMessage make_lease(const Lease& lease);
Lease read_lease(const LeaseMessage& message);
SettlementMessage make_settlement(const Settlement& settlement);
Settlement read_settlement(const SettlementMessage& message);

// Of AuditorActor. An event has its place in the log (seq, timestamp, prev, hash) from the auditor;
// a record has none yet.
AuditRecordMessage make_audit_record(const SandboxAuditEvent& event);
SandboxAuditEvent read_audit_record(const AuditRecordMessage& message);
AuditReceiptMessage make_audit_receipt(const SandboxAuditEvent& placed);

}  // namespace cordon
