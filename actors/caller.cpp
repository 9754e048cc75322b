#include "actors/caller.h"

#include <array>
#include <chrono>
#include <utility>

#include "actors/outcome_codec.h"

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

const char* level_name(wire::ConsoleText::Level level) {
  constexpr std::array kNames = {"log", "info", "warn", "error", "debug"};
  const auto index = static_cast<std::size_t>(level);
  return index < kNames.size() ? kNames[index] : "log";
}

void reject(CallerState& state, const caf::error& error) {
  if (const auto done = std::exchange(state.on_outcome, nullptr)) done({}, call_error(error));
}

}  // namespace

CallerState::~CallerState() { reject(*this, caf::error(ActorError::kShutDown)); }

caf::behavior caller_actor(caf::stateful_actor<CallerState>* self, SandboxActor pool,
                           CallMessage call, OutcomeCallback on_outcome,
                           ConsoleCallback on_console) {
  self->state.on_outcome = std::move(on_outcome);
  const auto listener = on_console ? caf::strong_actor_ptr(self->ctrl()) : nullptr;
  const std::string id = call.read()->getSandbox().cStr();
  // Queueing is bounded only by what is ahead; a pool that dies answers all the same.
  self->request(pool, caf::infinite, run_atom_v, call, listener)
      .then(
          [self, id](const OutcomeMessage& message) {
            Outcome outcome = read_outcome(message);
            outcome.sandbox = id;
            if (const auto done = std::exchange(self->state.on_outcome, nullptr)) {
              done(std::move(outcome), std::nullopt);
            }
            self->quit();
          },
          [self](const caf::error& error) {
            reject(self->state, error);
            self->quit();
          });
  return {
      [on_console = std::move(on_console)](console_atom, const ConsoleMessage& line) {
        const auto view = line.read();
        const auto text = view->getText();
        on_console(level_name(view->getLevel()), {text.cStr(), text.size()});
      },
      [self, pool, id](terminate_atom) { self->send(pool, terminate_atom_v, id); },
  };
}

}  // namespace cordon
