// Whatever actor dies or falls silent while an operation is in flight, the call ends, and as what.

#include "actors/broker.h"
#include "actors/budget.h"
#include "tests/actors/world.h"

using namespace cordon;
using namespace std::chrono_literals;
using test::environment_request;
using test::result;
using test::with_mode;
using test::World;

namespace {

constexpr auto kBackstop = 10s;  // sandbox_actor.cpp

// Takes every request and answers none.
struct Silence {
  std::vector<caf::response_promise> open;
};

AuditorActor::behavior_type silent_auditor(AuditorActor::stateful_pointer<Silence> self) {
  return {
      [self](record_atom, const AuditRecordMessage&) -> caf::result<AuditReceiptMessage> {
        self->state.open.push_back(self->make_response_promise());
        return caf::delegated<AuditReceiptMessage>();
      },
      [](head_atom) { return std::string(); },
  };
}

BudgetActor::behavior_type silent_budget(BudgetActor::stateful_pointer<Silence> self) {
  return {
      [self](lease_atom, const LeaseRequestMessage&) -> caf::result<LeaseMessage> {
        self->state.open.push_back(self->make_response_promise());
        return caf::delegated<LeaseMessage>();
      },
      [](settle_atom, const SettlementMessage&) {},
  };
}

void read_a_file(test::FakeChild& child) {
  child.say([](wire::ChildFrame::Builder frame) {
    auto request = frame.initRequest();
    request.setId(1);
    request.setReadText("/etc/hostname");
  });
}

// An operation waits for `actor`, which goes without a word: the child is ended without a reply.
void lose(World& world, test::FakeChild& child, const caf::actor& actor) {
  child.say(environment_request(1, "MODE"));
  world.run();
  CHECK(child.killed == KillReason::kNone);
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  world.run();
  CHECK(child.sent.size() == 1);
  CHECK(child.killed == KillReason::kTerminated);
  child.die(true, SIGKILL);
}

}  // namespace

TEST_CASE("a broker that dies with an operation in flight ends the call") {
  World world;
  auto child = world.running_child();
  read_a_file(*child);
  world.run();
  REQUIRE(world.blocking.held.size() == 1);
  caf::anon_send_exit(world.state().broker, caf::exit_reason::kill);
  world.run();
  CHECK(child->killed == KillReason::kTerminated);
  child->die(true, SIGKILL);
  CHECK(world.outcome().status == Status::kTerminated);
  CHECK(world.event_names().back() == "execute error");
}

TEST_CASE("a budget that is dead ends the call at the next operation") {
  World world;
  auto child = world.running_child(with_mode());
  caf::anon_send_exit(world.state().budget, caf::exit_reason::kill);
  world.run();
  child->say(environment_request(1, "MODE"));
  world.run();
  CHECK(child->sent.size() == 1);
  CHECK(child->killed == KillReason::kTerminated);
  child->die(true, SIGKILL);
  CHECK(world.outcome().status == Status::kTerminated);
}

TEST_CASE("an auditor that never answers lets no reply out, and the call ends as audit_failed") {
  World world;
  caf::anon_send_exit(world.auditor, caf::exit_reason::user_shutdown);
  world.run();
  world.auditor = world.system.spawn(silent_auditor);
  auto child = world.running_child(with_mode());
  child->say(environment_request(1, "MODE"));
  world.run();
  CHECK(child->sent.size() == 1);
  SECTION("though its time is up") { world.limits.reach(KillReason::kWallClock); }
  SECTION("though it has a result") {
    child->say([](auto frame) { result(frame, "1"); });
    world.run();
  }
  child->die(true, SIGKILL);
  CHECK_FALSE(world.answered());
  world.scheduler().advance_time(kBackstop);  // the broker has an operation without its event
  CHECK_FALSE(world.answered());
  world.scheduler().advance_time(kBackstop);  // and the auditor is asked once more
  CHECK(world.outcome().status == Status::kAuditFailed);
}

TEST_CASE("an auditor that goes without an answer ends the call at once as audit_failed") {
  World world;
  caf::anon_send_exit(world.auditor, caf::exit_reason::user_shutdown);
  world.run();
  world.auditor = world.system.spawn(silent_auditor);
  auto child = world.running_child(with_mode());
  SECTION("with an operation's event") {
    lose(world, *child, caf::actor_cast<caf::actor>(world.auditor));
  }
  SECTION("with the call's own") {
    child->say([](auto frame) { result(frame, "1"); });
    child->die(true, SIGKILL);
    CHECK_FALSE(world.answered());
    caf::anon_send_exit(world.auditor, caf::exit_reason::user_shutdown);
  }
  REQUIRE(world.answered());
  CHECK(world.outcome().status == Status::kAuditFailed);
}

TEST_CASE("a shared budget that goes without an answer ends the call at once as terminated") {
  World world;
  world.shared_budget = world.system.spawn(silent_budget);
  auto child = world.running_child(with_mode());
  lose(world, *child, caf::actor_cast<caf::actor>(world.shared_budget));
  REQUIRE(world.answered());
  CHECK(world.outcome().status == Status::kTerminated);
  CHECK(world.event_names() == std::vector<std::string>{"execute error"});
}

TEST_CASE("an operation that is lost in the broker delays the call's end by the backstop alone") {
  World world;
  auto child = world.running_child();
  read_a_file(*child);
  world.run();
  world.limits.reach(KillReason::kWallClock);
  child->die(true, SIGKILL);
  CHECK_FALSE(world.answered());
  world.scheduler().advance_time(kBackstop);
  CHECK(world.outcome().status == Status::kTimeout);
}

TEST_CASE("a broker that goes answers what its budget has not") {
  test::SteppedSystem world;
  test::HeldWork blocking;
  const AISandboxOptions options = with_mode();
  const auto budget = world.system.spawn(silent_budget);
  const auto auditor = world.system.spawn(silent_auditor);
  ToolService tools{blocking};
  const auto context = std::make_shared<const OperationContext>(
      OperationContext{"sb-1", Authority::validate(options), Redactor(std::vector<std::string>())});
  const auto broker = caf::actor_cast<BrokerActor>(
      world.system.spawn(broker_actor, BrokerSetup{context, budget, auditor, &blocking, nullptr,
                                                   nullptr, tools.open_session(context)}));
  auto answer = world.self->request(broker, 1s, perform_atom_v,
                                    ChildFrameMessage::build(environment_request(1, "MODE")));
  world.run();
  CHECK_FALSE(world.self->has_next_message());
  caf::anon_send_exit(broker, caf::exit_reason::user_shutdown);
  world.run();
  bool shut_down = false;
  answer.receive([](const HostFrameMessage&) { FAIL("answered"); },
                 [&](const caf::error& error) { shut_down = error == ActorError::kShutDown; });
  CHECK(shut_down);
  caf::anon_send_exit(budget, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(auditor, caf::exit_reason::user_shutdown);
  world.run();
}
