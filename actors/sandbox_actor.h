#pragma once
// The sandbox actor: one call and the one child process that runs it.
//
// Invariant: the call gets exactly one outcome, sent after the child is dead and reaped, after
// every capability request has ended, and after the run's `execute` event is in the log.
//
// An actor that dies answers what it has not: its state's destructor does, or CAF. The service's
// own budget or auditor need not, and is watched while it has something to answer. One that lives
// and never answers is outwaited once for each call, not for each request, since every such timeout
// wakes another thread: the wall clock ends the child, and the end waits ten seconds for the
// broker, which waits for budget and auditor, and ten for the auditor.

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "actors/call_end.h"
#include "actors/guest_denials.h"
#include "actors/monitor.h"
#include "actors/operations.h"
#include "actors/services.h"
#include "actors/wire_messages.h"

namespace cordon {

// What services hand to the sandbox. In-process only: they own processes and maps.
struct ChildArrival {
  std::shared_ptr<Child> child;
  std::optional<StartFailure> failure;
};
struct CompileArrival {
  bool tests = false;  // what was compiled: the tests, else the program
  std::shared_ptr<const CompiledModule> module;
  std::optional<CompileFailure> failure;
};

}  // namespace cordon

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cordon::ChildArrival)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cordon::CompileArrival)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cordon::ChildExit)

namespace cordon {

using SandboxImpl = SandboxActor::extend<
    caf::reacts_to<child_atom, ChildArrival>, caf::reacts_to<compiled_atom, CompileArrival>,
    caf::reacts_to<frame_atom, ChildFrameMessage>, caf::reacts_to<exited_atom, ChildExit>,
    caf::reacts_to<expired_atom, std::uint8_t>>;

struct SandboxSetup {
  Services* services = nullptr;  // outlives every actor
  AuditorActor auditor;
  std::chrono::microseconds queued{0};        // how long the call waited for its turn
  BudgetActor shared_budget = {};             // asked besides the call's own; may be none
  caf::strong_actor_ptr guardian = {};        // the sandbox leaves with it; may be null
  std::shared_ptr<const void> presence = {};  // held as long as the actor or its broker lives
};

struct SandboxState {
  enum class Phase : std::uint8_t {
    kIdle,
    kPreparing,  // compiling, and waiting for a child
    kRunning,
    kRestarting,  // waiting for the child's end, to begin again with other code
    kKilling,     // waiting for the child's end
    kConcluding,  // waiting for the broker, then for the audit
  };

  SandboxSetup setup;
  Phase phase = Phase::kIdle;
  caf::typed_response_promise<OutcomeMessage> promise;
  CallMessage call;
  caf::strong_actor_ptr console_listener;
  std::list<Monitor> watched;  // the guardian, who asked, and at the end the auditor
  bool recording = false;      // the auditor has the call's end
  std::chrono::steady_clock::time_point started;

  CallLimits limits;
  std::size_t max_console_bytes = 0;
  BrokerActor broker;
  BudgetActor budget;
  std::shared_ptr<LimitWatch> watch;
  std::shared_ptr<Child> child;
  std::shared_ptr<const ToolSet> tools;  // null: none
  std::shared_ptr<const CompiledModule> module;
  std::shared_ptr<const CompiledModule>
      tests;  // null while they are compiled, or if there are none

  std::uint64_t last_request = 0;
  GuestDenials denials;
  CallFacts facts;
  std::optional<ChildExit> exit;  // whatever it ended of, for the usage
  BrokerClosedMessage closed;
  OutcomeMessage outcome;  // empty until it is decided
  std::string console;
  bool console_truncated = false;
  static inline const char* name = "cordon.sandbox";

  // Answers a call that is still open as terminated, after its child is gone.
  ~SandboxState();
};

SandboxImpl::behavior_type sandbox_actor(SandboxImpl::stateful_pointer<SandboxState> self,
                                         SandboxSetup setup);

}  // namespace cordon
