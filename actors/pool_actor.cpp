#include "actors/pool_actor.h"

#include <caf/send.hpp>
#include <caf/system_messages.hpp>

#include <algorithm>
#include <utility>

#include "actors/duration.h"
#include "actors/sandbox_actor.h"

namespace cordon {

namespace {

using Self = SandboxActor::stateful_pointer<PoolState>;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// A sandbox that has not answered by then has lost an actor that it waits for.
constexpr auto kBackstop = 60s;

void start_waiting(Self self);

void finish(Self self, const std::string& id, caf::expected<OutcomeMessage> outcome) {
  auto& state = self->state;
  const auto found = state.active.find(id);
  if (found == state.active.end()) return;
  auto promise = std::move(found->second.promise);
  state.active.erase(found);
  if (outcome) {
    promise.deliver(std::move(*outcome));
  } else {
    promise.deliver(std::move(outcome.error()));
  }
  start_waiting(self);
  if (state.leaving && state.active.empty()) self->quit(caf::exit_reason::user_shutdown);
}

void start(Self self, PoolState::Waiting next) {
  auto& state = self->state;
  const auto call = next.call.read();
  const std::string id = call->getSandbox().cStr();
  const auto queued =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - next.since);
  SandboxActor sandbox = caf::actor_cast<SandboxActor>(
      self->spawn(sandbox_actor, SandboxSetup{state.setup.services, state.setup.auditor, queued}));
  const auto patience = to_duration(call->getOptions().getResources().getWallClockMs()) + kBackstop;
  state.active.emplace(id, PoolState::Active{sandbox, next.promise});
  self->request(sandbox, patience, run_atom_v, next.call, next.console_listener)
      .then([self, id](const OutcomeMessage& outcome) { finish(self, id, outcome); },
            [self, id](caf::error& error) { finish(self, id, std::move(error)); });
}

void start_waiting(Self self) {
  auto& state = self->state;
  while (!state.waiting.empty() && state.active.size() < state.setup.max_concurrent_calls) {
    auto next = std::move(state.waiting.front());
    state.waiting.pop_front();
    start(self, std::move(next));
  }
}

void terminate(Self self, const std::string& id) {
  auto& state = self->state;
  if (const auto active = state.active.find(id); active != state.active.end()) {
    self->send(active->second.sandbox, terminate_atom_v, id);
    return;
  }
  const auto waiting =
      std::find_if(state.waiting.begin(), state.waiting.end(),
                   [&](const auto& each) { return id == each.call.read()->getSandbox().cStr(); });
  if (waiting == state.waiting.end()) return;
  // It starts only to end at once: one path for every outcome and its event.
  auto next = std::move(*waiting);
  state.waiting.erase(waiting);
  start(self, std::move(next));
  self->send(state.active.at(id).sandbox, terminate_atom_v, id);
}

void leave(Self self) {
  auto& state = self->state;
  state.leaving = true;
  for (auto& each : std::exchange(state.waiting, {})) {
    each.promise.deliver(caf::error(ActorError::kShutDown));
  }
  for (auto& [id, active] : state.active) self->send(active.sandbox, terminate_atom_v, id);
  if (state.active.empty()) self->quit(caf::exit_reason::user_shutdown);
}

}  // namespace

PoolState::~PoolState() {
  for (auto& each : waiting) each.promise.deliver(caf::error(ActorError::kShutDown));
  for (auto& [id, each] : active) {
    caf::anon_send(each.sandbox, terminate_atom_v, id);
    each.promise.deliver(caf::error(ActorError::kShutDown));
  }
}

SandboxActor::behavior_type pool_actor(Self self, PoolSetup setup) {
  self->state.setup = std::move(setup);
  self->set_exit_handler([self](caf::exit_msg& message) {
    if (message.reason == caf::exit_reason::kill) {
      self->quit(std::move(message.reason));
    } else {
      leave(self);
    }
  });
  return {
      [self](run_atom, const CallMessage& call,
             const caf::strong_actor_ptr& listener) -> caf::result<OutcomeMessage> {
        auto& state = self->state;
        if (state.leaving) return caf::error(ActorError::kShutDown);
        const bool room = state.active.size() < state.setup.max_concurrent_calls;
        if (!room && state.waiting.size() >= state.setup.max_queued_calls) {
          return caf::error(ActorError::kBusy);
        }
        auto promise = self->make_response_promise<OutcomeMessage>();
        state.waiting.push_back({call, listener, promise, Clock::now()});
        start_waiting(self);
        return promise;
      },
      [self](terminate_atom, const std::string& id) { terminate(self, id); },
  };
}

}  // namespace cordon
