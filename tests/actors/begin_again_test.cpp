// A call whose code the engine refuses, as the quick compiler has made it, begins again with
// esbuild's.

#include <catch2/catch.hpp>

#include "actors/sandbox_actor.h"
#include "tests/actors/world.h"

using namespace cordon;
using test::environment_request;
using test::result;
using test::with_mode;
using test::World;

namespace {

void syntax_error(wire::ChildFrame::Builder frame) {
  auto failure = frame.initFailure();
  failure.setKind(wire::Failure::Kind::SYNTAX);
  failure.setName("SyntaxError");
  failure.setMessage("redeclaration of let x");
  failure.setLine(1);
  failure.setColumn(1);
}

// A running child whose code the quick compiler has made.
std::shared_ptr<test::FakeChild> quick_child(World& world, const AISandboxOptions& options = {}) {
  world.call(options);
  world.compiler.succeed_quickly("let x; let x;");
  auto child = world.children.give();
  world.run();
  REQUIRE(child->started());
  CHECK_FALSE(world.compiler.requests.back().by_esbuild);
  return child;
}

// The one after it, when the first has died of our hand.
std::shared_ptr<test::FakeChild> second_child(World& world, test::FakeChild& first) {
  first.say(syntax_error);
  world.run();
  CHECK(first.killed == KillReason::kDone);
  CHECK(world.children.waiting.empty());
  first.die(true, SIGKILL);
  world.run();
  REQUIRE(world.children.waiting.size() == 1);
  REQUIRE(world.compiler.requests.size() == 2);
  CHECK(world.compiler.requests[1].source == world.compiler.requests[0].source);
  CHECK(world.compiler.requests[1].by_esbuild);
  CHECK_FALSE(world.answered());
  return world.children.give();
}

}  // namespace

TEST_CASE("what esbuild makes of it runs in a new child, and the call ends once") {
  World world;
  auto first = quick_child(world);
  auto second = second_child(world, *first);
  world.compiler.succeed("export default () => 2");
  world.run();
  REQUIRE(second->started());
  second->say([](auto frame) { result(frame, "2"); });
  world.run();
  second->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  CHECK(outcome.status == Status::kOk);
  CHECK(outcome.value().json() == "2");
  CHECK(world.event_names() == std::vector<std::string>{"execute used"});
}

TEST_CASE("esbuild's error is the call's") {
  World world;
  auto first = quick_child(world);
  second_child(world, *first);
  world.compiler.fail({CompileFailure::Kind::kSyntax, "already declared", 1, 12});
  const Outcome outcome = world.outcome();
  REQUIRE(outcome.error.has_value());
  CHECK(outcome.error->message == "already declared");
  CHECK(outcome.error->column == 12u);
}

TEST_CASE("what the engine refuses of esbuild's code is final") {
  World world;
  auto first = quick_child(world);
  auto second = second_child(world, *first);
  world.compiler.succeed("/(/");
  world.run();
  second->say(syntax_error);
  world.run();
  second->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  REQUIRE(outcome.error.has_value());
  CHECK(outcome.error->message.find("redeclaration") != std::string::npos);
  CHECK(world.compiler.requests.size() == 2);
}

TEST_CASE("a child that has done something does not get a second one") {
  World world;
  auto child = quick_child(world, with_mode());
  SECTION("a request") { child->say(environment_request(1, "MODE")); }
  SECTION("a line on the console") {
    child->say([](wire::ChildFrame::Builder frame) { frame.initConsole().setText("here"); });
  }
  world.run();
  child->say(syntax_error);
  world.run();
  child->die(true, SIGKILL);
  CHECK(world.outcome().error.has_value());
  CHECK(world.compiler.requests.size() == 1);
}

TEST_CASE("a call that ends while it begins again waits for the child's death") {
  World world;
  auto first = quick_child(world);
  first->say(syntax_error);
  world.run();
  SECTION("terminated") {
    caf::anon_send(world.sandbox, terminate_atom_v, std::string("sb-1"));
    CHECK_FALSE(world.answered());
    first->die(true, SIGKILL);
    CHECK(world.outcome().status == Status::kTerminated);
  }
  SECTION("out of time") {
    world.limits.reach(KillReason::kWallClock);
    CHECK_FALSE(world.answered());
    first->die(true, SIGKILL);
    CHECK(world.outcome().status == Status::kTimeout);
  }
  CHECK(world.children.waiting.empty());
  CHECK(world.compiler.requests.size() == 1);
}
