#include "actors/budget.h"

#include <catch2/catch.hpp>

#include <caf/send.hpp>

#include "tests/actors/fakes.h"

using namespace cordon;
using namespace std::chrono_literals;

TEST_CASE("a ledger grants as many operations as the limit and marks the first refusal") {
  OperationLedger ledger({.max_operations = 2, .max_concurrent_operations = 8});
  CHECK(ledger.admit().granted);
  CHECK(ledger.admit().granted);
  const auto first = ledger.admit();
  CHECK_FALSE(first.granted);
  CHECK(first.first_refusal);
  const auto second = ledger.admit();
  CHECK_FALSE(second.granted);
  CHECK_FALSE(second.first_refusal);
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
      budget_actor, BudgetLimits{.max_operations = 10, .max_concurrent_operations = 1});
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
        budget_actor, BudgetLimits{.max_operations = 10, .max_concurrent_operations = 1});
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
