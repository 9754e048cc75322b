// The pool's places: who gets them, in which order, and who is refused.

#include "actors/pool_actor.h"

#include <catch2/catch.hpp>

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>

#include <map>
#include <string>
#include <vector>

#include <cordon/actors.h>

#include "actors/tool_service.h"
#include "tests/actors/fakes.h"
#include "tests/actors/meter.h"

using namespace cordon;
using namespace std::chrono_literals;

namespace {

CallMessage call(const std::string& id, const std::string& tenant) {
  return make_call({.id = id, .source = id, .tenant = tenant});
}

// Takes (id, tenant) and asks the pool; keeps every answer.
struct Client {
  std::map<std::string, std::string> answers;  // by call id
  std::vector<std::uint32_t> credits;
  bool drained = false;
};

caf::behavior client_actor(caf::event_based_actor* self, PoolActor pool, Client* client) {
  return {
      [=](run_atom, const std::string& id, const std::string& tenant) {
        self->request(pool, 60s, run_atom_v, call(id, tenant), caf::strong_actor_ptr())
            .then(
                [=](const OutcomeMessage& message) {
                  client->answers[id] = to_string(read_outcome(message).status);
                },
                [=](const caf::error& error) {
                  client->answers[id] = to_string(static_cast<ActorError>(error.code()));
                });
      },
      [=](credit_atom, std::uint32_t wanted) {
        self->request(pool, 60s, credit_atom_v, wanted)
            .then([=](std::uint32_t granted) { client->credits.push_back(granted); },
                  [=](const caf::error&) { client->credits.push_back(0); });
      },
      [=](drain_atom) {
        self->request(pool, 60s, drain_atom_v)
            .then([=](drain_atom) { client->drained = true; }, [](const caf::error&) {});
      },
      [=](terminate_atom, const std::string& id) { self->send(pool, terminate_atom_v, id); },
  };
}

PoolSetup places(std::size_t concurrent, std::size_t queued, std::size_t per_tenant = 0) {
  PoolSetup setup;
  setup.max_concurrent_calls = concurrent;
  setup.max_queued_calls = queued;
  setup.max_concurrent_calls_per_tenant = per_tenant;
  return setup;
}

struct World : test::SteppedSystem {
  explicit World(PoolSetup setup) {
    auditor = system.spawn(auditor_actor, AuditorSetup{});
    setup.services = &services;
    setup.auditor = auditor;
    setup.metrics = &metrics;
    pool = system.spawn(pool_actor, setup);
    client = spawn_client(answers);
  }
  ~World() {
    caf::anon_send_exit(pool, caf::exit_reason::user_shutdown);
    run();
    for (const auto& each : clients) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(auditor, caf::exit_reason::user_shutdown);
    run();
  }

  caf::actor spawn_client(Client& kept) {
    clients.push_back(system.spawn(client_actor, pool, &kept));
    return clients.back();
  }
  void ask(const std::string& id, const std::string& tenant = {}) {
    caf::anon_send(client, run_atom_v, id, tenant);
    run();
  }
  // The oldest call that runs ends; its id.
  std::string end_one() {
    const std::string id = compiler.requests.at(ended++).source;
    compiler.fail({CompileFailure::Kind::kSyntax, "no", 1, 1});
    run();
    return id;
  }
  std::size_t running() const { return compiler.waiting.size(); }

  test::FakeChildren children;
  test::FakeCompiler compiler;
  test::FakeLimits limits;
  test::HeldWork blocking;
  test::NoNetwork network;
  test::FakeCommands commands;
  ToolService tools{blocking};
  MetricsRegistry metrics;
  Services services{children, compiler, limits, blocking, network, commands, tools};
  AuditorActor auditor;
  PoolActor pool;
  Client answers;
  std::vector<caf::actor> clients;
  caf::actor client;
  std::size_t ended = 0;
};

}  // namespace

TEST_CASE("tenants take turns, however many calls one of them has waiting") {
  World world(places(1, 100));
  for (const char* id : {"a1", "a2", "a3", "a4"}) world.ask(id, "a");
  world.ask("b1", "b");
  world.ask("c1", "c");
  world.ask("b2", "b");
  std::vector<std::string> order;
  while (world.running() != 0) order.push_back(world.end_one());
  CHECK(order == std::vector<std::string>{"a1", "a2", "b1", "c1", "a3", "b2", "a4"});
  CHECK(world.answers.answers.at("b2") == "compile_error");
}

TEST_CASE("a call that has ended leaves no timeout in the clock") {
  World world(places(1, 100));
  const auto timeouts = [&] { return world.scheduler().clock().schedule().size(); };
  REQUIRE(timeouts() == 0);
  caf::anon_send(world.pool, run_atom_v, call("a1", "a"), caf::strong_actor_ptr());
  world.run();
  CHECK(timeouts() > 0);
  CHECK(world.end_one() == "a1");
  CHECK(timeouts() == 0);
}

TEST_CASE("a tenant at its own limit lets others pass") {
  World world(places(3, 100, 2));
  for (const char* id : {"a1", "a2", "a3"}) world.ask(id, "a");
  CHECK(world.running() == 2);
  world.ask("b1", "b");
  CHECK(world.running() == 3);
  CHECK(world.end_one() == "a1");
  CHECK(world.running() == 3);
  CHECK(world.compiler.requests.back().source == "a3");
}

TEST_CASE("a full queue makes room at the cost of the tenant that has most waiting") {
  World world(places(1, 3));
  for (const char* id : {"a1", "a2", "a3", "a4"}) world.ask(id, "a");
  world.ask("b1", "b");
  CHECK(world.answers.answers == std::map<std::string, std::string>{{"a4", "busy"}});
  world.ask("a5", "a");
  CHECK(world.answers.answers.at("a5") == "busy");
  world.ask("b2", "b");
  CHECK(world.answers.answers.at("b2") == "busy");  // both have as many: who is there stays
  CHECK(world.metrics.snapshot().refused_calls.at("busy") == 3);
  CHECK(world.metrics.snapshot().waiting_calls == 3);
  CHECK(world.metrics.snapshot().running_calls == 1);
}

TEST_CASE("credit keeps places free for who asked, until they are used or their holder is gone") {
  Client other;  // hears of what the world's end answers
  World world(places(1, 3));
  const auto holder = world.spawn_client(other);
  caf::anon_send(holder, credit_atom_v, std::uint32_t{3});
  world.run();
  REQUIRE(other.credits == std::vector<std::uint32_t>{3});
  world.ask("a1");
  world.ask("a2");
  CHECK(world.answers.answers.at("a2") == "busy");
  SECTION("a call on credit is admitted") {
    for (const char* id : {"h1", "h2", "h3"}) {
      caf::anon_send(holder, run_atom_v, std::string(id), std::string());
    }
    world.run();
    CHECK(other.answers.empty());
    // All is taken now: the next credit comes with the next free place.
    caf::anon_send(holder, credit_atom_v, std::uint32_t{5});
    world.run();
    CHECK(other.credits.size() == 1);
    world.end_one();
    CHECK(other.credits == std::vector<std::uint32_t>{3, 1});
  }
  SECTION("the places of a holder that is gone are free again") {
    caf::anon_send_exit(holder, caf::exit_reason::kill);
    world.run();
    for (const char* id : {"a3", "a4", "a5"}) world.ask(id);
    CHECK_FALSE(world.answers.answers.contains("a5"));
    world.ask("a6");
    CHECK(world.answers.answers.at("a6") == "busy");
  }
}

TEST_CASE("a call ends with the actor that asked for it, waiting or running") {
  Client other;  // hears of what the world's end answers
  World world(places(1, 3));
  const auto gone = world.spawn_client(other);
  caf::anon_send(gone, run_atom_v, std::string("g1"), std::string());
  caf::anon_send(gone, run_atom_v, std::string("g2"), std::string());
  world.run();
  world.ask("a1");
  CHECK(world.metrics.snapshot().waiting_calls == 2);
  caf::anon_send_exit(gone, caf::exit_reason::kill);
  world.run();
  CHECK(world.metrics.snapshot().calls.at("terminated") == 1);
  CHECK(world.metrics.snapshot().running_calls == 1);
  CHECK(world.metrics.snapshot().waiting_calls == 0);
  CHECK(world.compiler.requests.back().source == "a1");
}

TEST_CASE("draining refuses what is new and answers after the last call") {
  World world(places(1, 3));
  world.ask("a1");
  world.ask("a2");
  caf::anon_send(world.client, drain_atom_v);
  world.run();
  world.ask("a3");
  CHECK(world.answers.answers.at("a3") == "shut down");
  caf::anon_send(world.client, credit_atom_v, std::uint32_t{1});
  world.run();
  CHECK(world.answers.credits == std::vector<std::uint32_t>{0});
  world.end_one();
  CHECK_FALSE(world.answers.drained);
  world.end_one();
  CHECK(world.answers.drained);
  CHECK(world.answers.answers.at("a2") == "compile_error");
}

TEST_CASE("a call's id is one, and one call's") {
  World world(places(1, 3));
  CHECK_THROWS_AS(call("two words", ""), std::invalid_argument);
  CHECK_THROWS_AS(call(std::string(129, 'a'), ""), std::invalid_argument);
  CHECK(read_call(call("", "")).id.size() == 32);
  world.ask("same");
  const auto again = world.spawn_client(world.answers);
  caf::anon_send(again, run_atom_v, std::string("same"), std::string());
  world.run();
  CHECK(world.answers.answers.at("same") == "invalid options");
  world.end_one();
  CHECK(world.answers.answers.at("same") == "compile_error");
}
