#include "actors/budget.h"

#include <catch2/catch.hpp>

#include <caf/send.hpp>

#include "tests/actors/fakes.h"
#include "tests/actors/meter.h"

using namespace cordon;
using namespace std::chrono_literals;

TEST_CASE("a ledger grants as many operations as the limit") {
  OperationLedger ledger({.max_operations = 2, .max_concurrent_operations = 8});
  CHECK(ledger.admit().granted);
  CHECK(ledger.admit().granted);
  const auto first = ledger.admit();
  CHECK_FALSE(first.granted);
  const auto second = ledger.admit();
  CHECK_FALSE(second.granted);
  CHECK(second.serial == 4);
}

TEST_CASE("a ledger never lets more operations run at once than allowed") {
  OperationLedger ledger({.max_operations = 100, .max_concurrent_operations = 2});
  CHECK(ledger.try_start());
  CHECK(ledger.try_start());
  CHECK_FALSE(ledger.try_start());
  ledger.settle();
  CHECK(ledger.try_start());
}

namespace {

LeaseRequestMessage lease_request() {
  return LeaseRequestMessage::build(
      [](wire::LeaseRequest::Builder request) { request.setFunction(wire::Function::READ_TEXT); });
}

SettlementMessage settlement() {
  return SettlementMessage::build([](wire::Settlement::Builder out) { out.setSerial(1); });
}

}  // namespace

TEST_CASE("the budget actor makes operations wait their turn, in order") {
  test::SteppedSystem stepped;
  auto budget = stepped.system.spawn(
      budget_actor, BudgetLimits{.max_operations = 10, .max_concurrent_operations = 1},
      SharedBudget{});
  auto first = stepped.self->request(budget, 1s, lease_atom_v, lease_request());
  auto second = stepped.self->request(budget, 1s, lease_atom_v, lease_request());
  auto third = stepped.self->request(budget, 1s, lease_atom_v, lease_request());
  stepped.run();
  const auto serial = [](auto& handle) {
    std::uint64_t result = 0;
    handle.receive([&](const LeaseMessage& lease) { result = lease.read()->getSerial(); },
                   [](const caf::error&) { FAIL("no lease"); });
    return result;
  };
  CHECK(serial(first) == 1);
  CHECK_FALSE(stepped.self->has_next_message());
  stepped.self->send(budget, settle_atom_v, settlement());
  stepped.run();
  CHECK(serial(second) == 2);
  stepped.self->send(budget, settle_atom_v, settlement());
  stepped.run();
  CHECK(serial(third) == 3);
  caf::anon_send_exit(budget, caf::exit_reason::user_shutdown);
  stepped.run();
}

TEST_CASE("a budget actor that dies refuses who still waits") {
  for (const auto reason : {caf::exit_reason::user_shutdown, caf::exit_reason::kill}) {
    test::SteppedSystem stepped;
    auto budget = stepped.system.spawn(
        budget_actor, BudgetLimits{.max_operations = 10, .max_concurrent_operations = 1},
        SharedBudget{});
    auto first = stepped.self->request(budget, 1s, lease_atom_v, lease_request());
    auto second = stepped.self->request(budget, 1s, lease_atom_v, lease_request());
    stepped.run();
    first.receive([](const LeaseMessage&) {}, [](const caf::error&) { FAIL("no lease"); });
    caf::anon_send_exit(budget, reason);
    stepped.run();
    bool refused = false;
    second.receive([](const LeaseMessage&) { FAIL("leased by a dead budget"); },
                   [&](const caf::error& error) { refused = error == ActorError::kShutDown; });
    CHECK(refused);
  }
}

namespace {

// A call's budget in front of one that calls share.
struct SharedWorld : test::SteppedSystem {
  SharedWorld() {
    shared = system.spawn(test::meter_actor, &meter);
    budget = system.spawn(budget_actor,
                          BudgetLimits{.max_operations = 3, .max_concurrent_operations = 1},
                          SharedBudget{shared, "call", "tenant"});
  }
  ~SharedWorld() {
    caf::anon_send_exit(budget, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(shared, caf::exit_reason::user_shutdown);
    run();
  }
  // As text: "granted", or why not, and whether that is an event of its own.
  std::string lease() {
    auto handle = self->request(budget, 1s, lease_atom_v, lease_request());
    run();
    std::string answer = "nothing";
    handle.receive(
        [&](const LeaseMessage& message) {
          const auto lease = message.read();
          answer = lease->getGranted() ? "granted" : lease->getReason().cStr();
          if (!lease->getGranted() && answer.empty()) answer = "own limit";
          if (lease->getFirstRefusal()) answer += " (first)";
        },
        [&](const caf::error& error) { answer = system.render(error); });
    return answer;
  }
  void settle(std::uint64_t serial) {
    self->send(budget, settle_atom_v, make_settlement({{}, {}, serial}));
    run();
  }

  test::Meter meter;
  BudgetActor shared;
  BudgetActor budget;
};

}  // namespace

TEST_CASE("a budget that calls share is asked for what the call's own would grant") {
  SharedWorld world;
  CHECK(world.lease() == "granted");
  CHECK(world.meter.held.size() == 1);
  CHECK(world.meter.held.begin()->second == "tenant");
  world.settle(1);
  CHECK(world.meter.held.empty());
  world.meter.limit = 1;
  CHECK(world.lease() == "tenant has had enough (first)");
  CHECK(world.lease() == "tenant has had enough");  // and its place is free again
  CHECK(world.lease() == "own limit");
  CHECK(world.meter.granted == 1);
}

TEST_CASE("what the shared budget granted is given back when the call's own dies") {
  SharedWorld world;
  CHECK(world.lease() == "granted");
  caf::anon_send_exit(world.budget, caf::exit_reason::kill);
  world.run();
  CHECK(world.meter.held.empty());
}

TEST_CASE("without the shared budget nothing is granted") {
  SharedWorld world;
  caf::anon_send_exit(world.shared, caf::exit_reason::kill);
  world.run();
  CHECK(world.lease() != "granted");
}
