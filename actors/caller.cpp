#include "actors/caller.h"

#include <chrono>
#include <new>
#include <utility>

#include <cordon/actors.h>
#include <cordon/errors.h>

#include "actors/outcome_codec.h"
#include "actors/outcome_message.h"

namespace cordon {

namespace {

CallError call_error(const caf::error& error) {
  if (error == ActorError::kBusy) {
    return {CallError::Reason::kBusy,
            "The runtime is busy: its queue of calls is full (RuntimeOptions::max_queued_calls)"};
  }
  if (error == ActorError::kInvalidOptions) {
    // A root that was there when the sandbox was made may be gone now.
    return {CallError::Reason::kInvalidOptions,
            "An option can no longer be used: " + to_string(error.context())};
  }
  return {CallError::Reason::kShutDown, "The runtime is shutting down; the call was not started"};
}

// It has run and is in the log; but the host cannot hold a second copy of what came of it.
Outcome outcome_of(const OutcomeMessage& message, const CallMessage& call) {
  try {
    return read_outcome(message);
  } catch (const std::bad_alloc&) {
    Outcome outcome = read_outcome(outcome_without_sandbox(call, {.host_out_of_memory = true}));
    outcome.usage = read_end(message).usage;
    return outcome;
  }
}

void answer(CallerState& state, CallAnswer with) {
  if (const auto on_answer = std::exchange(state.on_answer, nullptr)) on_answer(std::move(with));
}

}  // namespace

CallerState::~CallerState() { answer(*this, call_error(caf::error(ActorError::kShutDown))); }

caf::behavior caller_actor(caf::stateful_actor<CallerState>* self, SandboxActor pool,
                           CallMessage call, AnswerCallback on_answer, ConsoleCallback on_console,
                           CallerTokens tokens) {
  self->state.presence = std::move(tokens.presence);
  self->state.on_answer = std::move(on_answer);
  const auto listener = on_console ? caf::strong_actor_ptr(self->ctrl()) : nullptr;
  const std::string id = call.read()->getSandbox().cStr();
  // Queueing is bounded only by what is ahead; a pool that dies answers all the same.
  self->request(pool, caf::infinite, run_atom_v, call, listener)
      .then(
          [self, call](const OutcomeMessage& message) {
            answer(self->state, outcome_of(message, call));
            self->quit();
          },
          [self](const caf::error& error) {
            answer(self->state, call_error(error));
            self->quit();
          });
  tokens.handover.reset();
  return {
      [on_console = std::move(on_console)](console_atom, const ConsoleMessage& line) {
        try {
          const ConsoleLine read = read_console_line(line);
          on_console(read.level, read.text);
        } catch (...) {  // what fails in telling of it must not cost the call
        }
      },
      [self, pool, id](terminate_atom) { self->send(pool, terminate_atom_v, id); },
  };
}

}  // namespace cordon
