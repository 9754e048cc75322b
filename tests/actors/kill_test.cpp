// Any actor may die at any moment: one call is stepped message by message, and at each step each of
// its actors is killed. Whatever dies, there is exactly one answer and nothing is left.

#include <catch2/catch.hpp>

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <cordon/actors.h>

#include "actors/caller.h"
#include "actors/pool_actor.h"
#include "actors/sandbox_actor.h"
#include "actors/tool_service.h"
#include "tests/actors/fakes.h"
#include "tests/actors/meter.h"

using namespace cordon;
using namespace std::chrono_literals;

namespace {

// The state of an actor that is alive.
template <class Interface, class State, class Handle>
State* state_of(const Handle& handle) {
  if (!handle) return nullptr;
  auto* const actor = dynamic_cast<typename Interface::template stateful_base<State>*>(
      caf::actor_cast<caf::abstract_actor*>(handle));
  if (actor == nullptr || actor->getf(caf::abstract_actor::is_terminated_flag)) return nullptr;
  return &actor->state;
}

class KilledCall : test::SteppedSystem {
 public:
  KilledCall() : base_(system.registry().running()) {
    auditor_ = system.spawn(
        auditor_actor, AuditorSetup{.publish = [this](const SandboxAuditEvent&) { ++events_; }});
    meter_ = system.spawn(test::meter_actor, &metered_);
    pool_ = system.spawn(pool_actor, PoolSetup{.services = &services_,
                                               .auditor = auditor_,
                                               .max_concurrent_calls = 1,
                                               .max_queued_calls = 1,
                                               .shared_budget = meter_,
                                               .metrics = &metrics_,
                                               .presence = presence_});
    AISandboxOptions options;
    options.environment = {{"MODE", "test"}};
    caller_ = system.spawn(
        caller_actor, SandboxActor(pool_), make_call({.id = "one", .options = options}),
        [this](CallAnswer answer) { answers_.push_back(std::move(answer)); },
        [this](std::string_view, std::string_view) { ++lines_; }, CallerTokens{presence_, {}});
  }

  ~KilledCall() { leave(); }

  // One message, or what the world outside does next. False: it is over.
  bool step() { return scheduler().try_run_once() || act(); }
  void finish() {
    while (step()) {
    }
  }

  using Victim = std::function<caf::strong_actor_ptr(KilledCall&)>;
  // Names and handles; null while there is no such actor.
  static std::vector<std::pair<std::string, Victim>> victims() {
    const auto strong = [](const auto& handle) {
      return caf::actor_cast<caf::strong_actor_ptr>(handle);
    };
    return {
        {"caller", [=](KilledCall& call) { return strong(call.caller_); }},
        {"pool", [=](KilledCall& call) { return strong(call.pool_); }},
        {"auditor", [=](KilledCall& call) { return strong(call.auditor_); }},
        {"shared budget", [=](KilledCall& call) { return strong(call.meter_); }},
        {"sandbox", [=](KilledCall& call) { return strong(call.sandbox()); }},
        {"broker",
         [=](KilledCall& call) {
           const auto* const state = call.sandbox_state();
           return state != nullptr ? strong(state->broker) : nullptr;
         }},
        {"budget",
         [=](KilledCall& call) {
           const auto* const state = call.sandbox_state();
           return state != nullptr ? strong(state->budget) : nullptr;
         }},
    };
  }

  static void kill(const caf::strong_actor_ptr& victim) {
    caf::anon_send_exit(caf::actor_cast<caf::actor>(victim), caf::exit_reason::kill);
  }

  const std::vector<CallAnswer>& answers() const { return answers_; }
  int lines() const { return lines_; }
  int events() const { return events_; }
  std::uint64_t granted() const { return metered_.granted; }

  // Everybody leaves; what is there then was leaked.
  std::string leaked() {
    leave();
    std::string what;
    if (alive_ && *alive_) what += " a child,";
    if (metrics_.snapshot().children_alive != 0) what += " the count of children,";
    if (metrics_.snapshot().running_calls + metrics_.snapshot().waiting_calls != 0) {
      what += " the count of calls,";
    }
    if (!metered_.held.empty() && !meter_died_) what += " a lease,";
    if (system.registry().running() != base_) what += " an actor,";
    if (presence_.use_count() != 1) what += " a presence,";
    return what;
  }
  void meter_dies() { meter_died_ = true; }

 private:
  SandboxActor sandbox() {
    auto* const pool = state_of<PoolActor, PoolState>(pool_);
    if (pool != nullptr && !pool->active.empty()) return pool->active.begin()->second.sandbox;
    return {};
  }
  SandboxState* sandbox_state() { return state_of<SandboxImpl, SandboxState>(sandbox()); }

  bool act() {
    if (!compiler_.waiting.empty()) {
      compiler_.succeed("export default () => 1");
      return true;
    }
    if (!children_.waiting.empty()) {
      auto child = children_.give();
      child_ = child;
      alive_ = child->alive_;
      limits_.last.reset();  // the sandbox alone holds what watches the child
      return true;
    }
    if (!blocking_.held.empty()) {
      blocking_.run_all();
      return true;
    }
    const auto child = child_.lock();
    if (!child || !child->started() || died_) return false;
    if (child->killed != KillReason::kNone) {
      died_ = true;
      child->die(true, SIGKILL);
      return true;
    }
    return speak(*child);
  }

  // The guest's program: it waits for each reply.
  bool speak(test::FakeChild& child) {
    if (child.sent.size() < said_ + 1) return false;
    switch (said_++) {
      case 0:
        child.say([](wire::ChildFrame::Builder frame) {
          auto request = frame.initRequest();
          request.setId(1);
          request.setEnvironment("MODE");
        });
        return true;
      case 1:
        child.say([](wire::ChildFrame::Builder frame) { frame.initConsole().setText("hello"); });
        child.say([](wire::ChildFrame::Builder frame) {
          auto request = frame.initRequest();
          request.setId(2);
          request.setReadText("/etc/hostname");
        });
        return true;
      case 2:
        child.say([](wire::ChildFrame::Builder frame) {
          constexpr std::string_view kResult = "1";
          frame.setResult(
              kj::arrayPtr(reinterpret_cast<const kj::byte*>(kResult.data()), kResult.size()));
        });
        return true;
      default:
        return false;
    }
  }

  void leave() {
    if (!pool_) return;
    caf::anon_send_exit(pool_, caf::exit_reason::user_shutdown);
    finish();
    caf::anon_send_exit(caller_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(auditor_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(meter_, caf::exit_reason::user_shutdown);
    finish();
    caller_ = nullptr;
    pool_ = nullptr;
    auditor_ = nullptr;
    meter_ = nullptr;
  }

  const std::size_t base_;
  test::FakeChildren children_;
  test::FakeCompiler compiler_;
  test::FakeLimits limits_;
  test::HeldWork blocking_;
  test::NoNetwork network_;
  test::FakeCommands commands_;
  ToolService tools_{blocking_};
  MetricsRegistry metrics_;
  CountedChildren counted_{children_, metrics_};
  Services services_{counted_, compiler_, limits_, blocking_, network_, commands_, tools_};
  std::shared_ptr<const void> presence_ = std::make_shared<int>(0);
  test::Meter metered_;
  bool meter_died_ = false;

  std::weak_ptr<test::FakeChild> child_;
  std::shared_ptr<bool> alive_;
  bool died_ = false;
  std::size_t said_ = 0;

  AuditorActor auditor_;
  BudgetActor meter_;
  PoolActor pool_;
  caf::actor caller_;
  std::vector<CallAnswer> answers_;
  int lines_ = 0;
  int events_ = 0;
};

// "ok", "terminated", ...; or why the call was not started.
std::string text_of(const CallAnswer& answer) {
  if (const auto* const outcome = std::get_if<Outcome>(&answer)) return to_string(outcome->status);
  const auto reason = std::get<CallError>(answer).reason();
  return reason == CallError::Reason::kShutDown ? "shut down" : "another error";
}

// What may come of a call one of whose actors is killed: nothing is noticed when it had done its
// part already.
bool is_right(const std::string& victim, const std::string& answer) {
  if (answer == "ok") return true;
  if (victim == "auditor") return answer == "audit_failed";
  if (victim == "caller") return answer == "shut down";
  if (victim == "pool") return answer == "shut down" || answer == "terminated";
  return answer == "terminated";
}

}  // namespace

TEST_CASE("the stepped call works when nobody dies") {
  KilledCall call;
  call.finish();
  REQUIRE(call.answers().size() == 1);
  CHECK(text_of(call.answers()[0]) == "ok");
  CHECK(call.lines() == 1);
  CHECK(call.events() == 3);
  CHECK(call.granted() == 2);
  CHECK(call.leaked() == "");
}

TEST_CASE("whoever is killed at whatever step, there is one answer and nothing is left") {
  std::size_t steps = 0;
  {
    KilledCall call;
    while (call.step()) ++steps;
  }
  CHECK(steps > 20);

  for (const auto& [name, victim] : KilledCall::victims()) {
    std::size_t kills = 0;
    std::size_t noticed = 0;
    for (std::size_t at = 0; at <= steps; ++at) {
      KilledCall call;
      for (std::size_t step = 0; step < at; ++step) call.step();
      const auto handle = victim(call);
      if (!handle) continue;
      if (name == "shared budget") call.meter_dies();
      KilledCall::kill(handle);
      ++kills;
      call.finish();
      CAPTURE(name, at);
      REQUIRE(call.answers().size() == 1);
      const std::string answer = text_of(call.answers()[0]);
      CAPTURE(answer);
      CHECK(is_right(name, answer));
      noticed += answer == "ok" ? 0U : 1U;
      CHECK(call.leaked() == "");
      CHECK(call.answers().size() == 1);
    }
    CAPTURE(name, kills);
    CHECK(kills > 5);
    CHECK(noticed > 3);
  }
}
