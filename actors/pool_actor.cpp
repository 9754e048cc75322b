#include "actors/pool_actor.h"

#include <caf/send.hpp>
#include <caf/system_messages.hpp>

#include <algorithm>
#include <utility>

#include "actors/call_id.h"
#include "actors/duration.h"
#include "actors/outcome_message.h"
#include "actors/sandbox_actor.h"
#include "actors/wire_text.h"

namespace cordon {

namespace {

using Self = PoolActor::stateful_pointer<PoolState>;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// A sandbox that has not answered by then has lost an actor that it waits for.
constexpr auto kBackstop = 60s;

std::string id_of(const CallMessage& call) { return as_string(call.read()->getSandbox()); }
std::string tenant_of(const CallMessage& call) { return as_string(call.read()->getTenant()); }

// ------------------------------------------------------------------------------------- clients

void watch(Self self, const caf::actor_addr& client) {
  if (!client || self->state.clients.contains(client)) return;
  self->state.clients.emplace(client, PoolState::Client{});
  self->monitor(client);
}

void forget_if_idle(Self self, const caf::actor_addr& client) {
  auto& clients = self->state.clients;
  const auto found = clients.find(client);
  if (found == clients.end()) return;
  const auto& [calls, credits, asking] = found->second;
  if (calls != 0 || credits != 0 || asking != 0) return;
  self->demonitor(client);
  clients.erase(found);
}

void call_left(Self self, const std::string& id, const caf::actor_addr& client) {
  self->state.ids.erase(id);
  const auto found = self->state.clients.find(client);
  if (found == self->state.clients.end()) return;
  --found->second.calls;
  forget_if_idle(self, client);
}

// --------------------------------------------------------------------------------------- places

bool tenant_may_start(const PoolState& state, const std::string& tenant) {
  const std::size_t limit = state.setup.max_concurrent_calls_per_tenant;
  if (limit == 0) return true;
  const auto running = state.active_by_tenant.find(tenant);
  return running == state.active_by_tenant.end() || running->second < limit;
}

std::size_t free_places(const PoolState& state) {
  const std::size_t all = state.setup.max_concurrent_calls + state.setup.max_queued_calls;
  const std::size_t taken = state.active.size() + state.waiting.size() + state.credits;
  return all - std::min(all, taken);
}

void grant_credit(Self self) {
  auto& state = self->state;
  while (!state.asking.empty() && free_places(state) != 0) {
    auto next = std::move(state.asking.front());
    state.asking.pop_front();
    const std::size_t granted = std::min(next.wanted, free_places(state));
    auto& client = state.clients.at(next.client);
    --client.asking;
    client.credits += granted;
    state.credits += granted;
    next.promise.deliver(static_cast<std::uint32_t>(granted));
  }
}

// ---------------------------------------------------------------------------------------- calls

void start_waiting(Self self);

void refuse(Self self, caf::typed_response_promise<OutcomeMessage>& promise, caf::error error) {
  if (auto* const metrics = self->state.setup.metrics) {
    metrics->call_refused(static_cast<ActorError>(error.code()));
  }
  promise.deliver(std::move(error));
}

void go_on(Self self) {
  auto& state = self->state;
  start_waiting(self);
  grant_credit(self);
  if (!state.active.empty() || !state.waiting.empty()) return;
  if (state.draining) {
    for (auto& promise : std::exchange(state.drained, {})) promise.deliver(drain_atom_v);
  }
  if (state.leaving) self->quit(caf::exit_reason::user_shutdown);
}

void finish(Self self, const std::string& id, caf::expected<OutcomeMessage> outcome) {
  auto& state = self->state;
  auto found = state.active.extract(id);
  if (found.empty()) return;
  PoolState::Active& ended = found.mapped();
  const auto tenant = state.active_by_tenant.find(tenant_of(ended.call));
  if (--tenant->second == 0) state.active_by_tenant.erase(tenant);
  ended.counted = GaugeShare();
  if (!outcome && outcome.error() == ActorError::kInvalidOptions) {
    refuse(self, ended.promise, std::move(outcome.error()));
  } else {
    // A sandbox that went away without an answer was ended by somebody.
    const OutcomeMessage message =
        outcome ? *outcome : outcome_without_sandbox(ended.call, {.terminated = true});
    if (auto* const metrics = state.setup.metrics) metrics->call_ended(message);
    ended.promise.deliver(message);
  }
  call_left(self, id, ended.client);
  go_on(self);
}

void start(Self self, PoolState::Waiting next) {
  auto& state = self->state;
  const auto& setup = state.setup;
  const std::string id = id_of(next.call);
  const auto queued =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - next.since);
  SandboxActor sandbox = caf::actor_cast<SandboxActor>(
      self->spawn(sandbox_actor, SandboxSetup{.services = setup.services,
                                              .auditor = setup.auditor,
                                              .queued = queued,
                                              .shared_budget = setup.shared_budget,
                                              .presence = setup.presence}));
  const auto patience =
      to_duration(next.call.read()->getOptions().getResources().getWallClockMs()) + kBackstop;
  ++state.active_by_tenant[tenant_of(next.call)];
  next.counted = GaugeShare();
  state.active.emplace(
      id,
      PoolState::Active{sandbox, next.call, next.promise, next.client,
                        setup.metrics != nullptr ? setup.metrics->running_call() : GaugeShare()});
  auto asked = self->request(sandbox, patience, run_atom_v, next.call, next.console_listener);
  const auto answered = [self, id, request = asked.id()](caf::expected<OutcomeMessage> outcome) {
    // CAF keeps the timeout of a request until it is due, answered or not, and a pool lives on.
    self->clock().cancel_request_timeout(self, request);
    finish(self, id, std::move(outcome));
  };
  asked.then([answered](const OutcomeMessage& outcome) { answered(outcome); },
             [answered](caf::error& error) { answered(std::move(error)); });
}

void start_waiting(Self self) {
  auto& state = self->state;
  while (state.active.size() < state.setup.max_concurrent_calls) {
    auto next = state.waiting.pop(
        [&](const std::string& tenant) { return tenant_may_start(state, tenant); });
    if (!next) return;
    start(self, std::move(*next));
  }
}

// Takes the place that this call may have: one of its client's, a free one, or that of a tenant
// that has many. False: there is none.
bool take_place(Self self, PoolState::Waiting& call) {
  auto& state = self->state;
  if (const auto client = state.clients.find(call.client);
      client != state.clients.end() && client->second.credits != 0) {
    --client->second.credits;
    --state.credits;
    call.on_credit = true;
    return true;
  }
  if (free_places(state) != 0) return true;
  auto displaced = state.waiting.displace_for(tenant_of(call.call),
                                              [](const auto& each) { return !each.on_credit; });
  if (!displaced) return false;
  refuse(self, displaced->promise, ActorError::kBusy);
  call_left(self, id_of(displaced->call), displaced->client);
  return true;
}

caf::result<OutcomeMessage> admit(Self self, const CallMessage& call,
                                  const caf::strong_actor_ptr& listener) {
  auto& state = self->state;
  // The promise takes the sender with it.
  const auto client = caf::actor_cast<caf::actor_addr>(self->current_sender());
  auto promise = self->make_response_promise<OutcomeMessage>();
  if (state.draining) {
    refuse(self, promise, ActorError::kShutDown);
    return promise;
  }
  std::string id = id_of(call);
  if (!is_call_id(id) || state.ids.contains(id)) {
    refuse(self, promise,
           caf::error(ActorError::kInvalidOptions,
                      std::string("id: it is no call's id, or another call's")));
    return promise;
  }
  PoolState::Waiting waiting{.call = call,
                             .console_listener = listener,
                             .promise = promise,
                             .client = client,
                             .since = Clock::now()};
  if (!take_place(self, waiting)) {
    refuse(self, promise, ActorError::kBusy);
    return promise;
  }
  if (client) {
    watch(self, client);
    ++state.clients.at(client).calls;
  }
  if (state.setup.metrics != nullptr) waiting.counted = state.setup.metrics->waiting_call();
  state.ids.insert(std::move(id));
  state.waiting.push(tenant_of(call), std::move(waiting));
  start_waiting(self);
  return promise;
}

// ------------------------------------------------------------------------------------------ ends

void terminate(Self self, const std::string& id) {
  auto& state = self->state;
  if (const auto active = state.active.find(id); active != state.active.end()) {
    self->send(active->second.sandbox, terminate_atom_v, id);
    return;
  }
  auto waiting = state.waiting.remove([&](const auto& each) { return id_of(each.call) == id; });
  if (!waiting) return;
  // It starts only to end at once: one path for every outcome and its event.
  start(self, std::move(*waiting));
  self->send(state.active.at(id).sandbox, terminate_atom_v, id);
}

// Nobody asks for its calls any more.
void client_gone(Self self, const caf::actor_addr& client) {
  auto& state = self->state;
  const auto found = state.clients.find(client);
  if (found == state.clients.end()) return;
  state.credits -= found->second.credits;
  state.clients.erase(found);
  std::erase_if(state.asking, [&](const auto& each) { return each.client == client; });
  while (auto gone =
             state.waiting.remove([&](const auto& each) { return each.client == client; })) {
    state.ids.erase(id_of(gone->call));
  }
  for (auto& [id, active] : state.active) {
    if (active.client == client) self->send(active.sandbox, terminate_atom_v, id);
  }
  go_on(self);
}

void stop_admitting(Self self) {
  auto& state = self->state;
  state.draining = true;
  for (auto& each : std::exchange(state.asking, {})) {
    each.promise.deliver(caf::error(ActorError::kShutDown));
  }
}

void leave(Self self) {
  auto& state = self->state;
  stop_admitting(self);
  state.leaving = true;
  while (auto each = state.waiting.pop([](const std::string&) { return true; })) {
    refuse(self, each->promise, ActorError::kShutDown);
  }
  for (auto& [id, active] : state.active) self->send(active.sandbox, terminate_atom_v, id);
  go_on(self);
}

}  // namespace

PoolState::~PoolState() {
  while (auto each = waiting.pop([](const std::string&) { return true; })) {
    each->promise.deliver(caf::error(ActorError::kShutDown));
  }
  for (auto& each : asking) each.promise.deliver(caf::error(ActorError::kShutDown));
  for (auto& each : drained) each.deliver(caf::error(ActorError::kShutDown));
  // The sandboxes watch the pool, and end their calls.
  for (auto& [id, each] : active)
    each.promise.deliver(outcome_without_sandbox(each.call, {.terminated = true}));
}

PoolActor::behavior_type pool_actor(Self self, PoolSetup setup) {
  self->state.setup = std::move(setup);
  self->set_exit_handler([self](caf::exit_msg& message) {
    if (message.reason == caf::exit_reason::kill) {
      self->quit(std::move(message.reason));
    } else {
      leave(self);
    }
  });
  self->set_down_handler([self](caf::down_msg& message) {
    const auto& guardian = self->state.setup.guardian;
    if (guardian && message.source == caf::actor_cast<caf::actor_addr>(guardian)) {
      leave(self);
    } else {
      client_gone(self, message.source);
    }
  });
  if (self->state.setup.guardian) self->monitor(self->state.setup.guardian);
  return {
      [self](run_atom, const CallMessage& call, const caf::strong_actor_ptr& listener) {
        return admit(self, call, listener);
      },
      [self](terminate_atom, const std::string& id) { terminate(self, id); },
      [self](credit_atom, std::uint32_t wanted) -> caf::result<std::uint32_t> {
        auto& state = self->state;
        if (state.draining) return caf::error(ActorError::kShutDown);
        const auto client = caf::actor_cast<caf::actor_addr>(self->current_sender());
        if (!client || wanted == 0) return std::uint32_t{0};
        watch(self, client);
        ++state.clients.at(client).asking;
        auto promise = self->make_response_promise<std::uint32_t>();
        state.asking.push_back({client, wanted, promise});
        grant_credit(self);
        return promise;
      },
      [self](drain_atom) -> caf::result<drain_atom> {
        auto promise = self->make_response_promise<drain_atom>();
        stop_admitting(self);
        self->state.drained.push_back(promise);
        go_on(self);
        return promise;
      },
  };
}

}  // namespace cordon
