#include "actors/sandbox_actor.h"

#include <caf/behavior.hpp>
#include <caf/event_based_actor.hpp>

#include <catch2/catch.hpp>
#include <cstring>

#include <cordon/errors.h>

#include "actors/pool_actor.h"
#include "tests/actors/world.h"

using namespace cordon;
using namespace std::chrono_literals;
using test::call_message;
using test::environment_request;
using test::result;
using test::with_mode;
using test::World;

namespace {

caf::behavior idle(caf::event_based_actor*) {
  return {[](caf::ok_atom) {}};
}

BudgetActor::behavior_type generous_budget() {
  return {
      [](lease_atom, const LeaseRequestMessage&) {
        return LeaseMessage::build([](wire::Lease::Builder lease) {
          lease.setSerial(1);
          lease.setGranted(true);
        });
      },
      [](settle_atom, const SettlementMessage&) {},
  };
}

}  // namespace

TEST_CASE("a result is answered after the child is reaped and the event is in the log") {
  World world;
  auto child = world.running_child();
  REQUIRE(child->sent.size() == 1);
  CHECK(child->sent[0].read()->isJob());
  child->say([](auto frame) { result(frame, "42"); });
  CHECK_FALSE(world.answered());
  CHECK(child->killed == KillReason::kDone);
  CHECK(world.events.empty());
  child->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  CHECK(outcome.status == Status::kOk);
  CHECK(outcome.value().json() == "42");
  CHECK(world.event_names() == std::vector<std::string>{"execute used"});
}

TEST_CASE("the memory of a call's actors is free when they are gone, whomever they watched") {
  World world;
  world.guardian = caf::actor_cast<caf::strong_actor_ptr>(world.system.spawn(idle));
  world.shared_budget = world.system.spawn(generous_budget);
  auto child = world.running_child(with_mode());
  child->say(environment_request(1, "MODE"));
  world.run();
  REQUIRE(child->sent.size() == 2);
  const auto& state = world.state();
  const std::vector<caf::weak_actor_ptr> blocks{caf::actor_cast<caf::weak_actor_ptr>(world.sandbox),
                                                caf::actor_cast<caf::weak_actor_ptr>(state.broker),
                                                caf::actor_cast<caf::weak_actor_ptr>(state.budget)};
  CHECK(blocks[0]->weak_refs > 2);  // those who are watched have one each
  SECTION("after an answer") {
    child->say([](auto frame) { result(frame, "42"); });
    child->die(true, SIGKILL);
    CHECK(world.outcome().status == Status::kOk);
  }
  SECTION("told to leave") {
    caf::anon_send_exit(world.sandbox, caf::exit_reason::user_shutdown);
    CHECK(world.outcome().status == Status::kTerminated);
  }
  child.reset();
  world.limits = {};
  world.sandbox = SandboxActor();
  world.run();
  for (const caf::weak_actor_ptr& block : blocks) {
    CHECK(block->strong_refs == 0);
    CHECK(block->weak_refs == 1);  // this one
  }
  caf::anon_send_exit(world.guardian, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(world.shared_budget, caf::exit_reason::user_shutdown);
}

TEST_CASE("a capability request goes through broker, budget and audit before its reply") {
  World world;
  auto child = world.running_child(with_mode());
  child->say(environment_request(1, "MODE"));
  world.run();
  REQUIRE(child->sent.size() == 2);
  const auto reply = child->sent[1].read();
  CHECK(reply->getReply().getId() == 1);
  CHECK(std::string(reply->getReply().getText().cStr()) == "test");
  CHECK(world.event_names() == std::vector<std::string>{"environment used"});
  CHECK(child->acknowledged == 1);
}

TEST_CASE("an uncaught denial is denied, the host's words count, not the child's") {
  World world;
  auto child = world.running_child();
  child->say(environment_request(1, "HOME"));
  world.run();
  REQUIRE(child->sent.back().read()->getReply().isDenied());
  child->say([](wire::ChildFrame::Builder frame) {
    auto failure = frame.initFailure();
    failure.setMessage("something else");
    failure.setDeniedBy(1);
  });
  world.run();
  child->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "environment");
  CHECK(outcome.denial->target == "HOME");
  CHECK_THROWS_AS(outcome.value(), SandboxDeniedError);
  CHECK(world.event_names() == std::vector<std::string>{"environment denied", "execute denied"});
}

TEST_CASE("past the operation budget one refusal is an event, the rest a count") {
  World world;
  auto options = with_mode();
  options.resources.max_operations = 2;
  auto child = world.running_child(options);
  for (std::uint64_t id = 1; id <= 5; ++id) child->say(environment_request(id, "MODE"));
  world.run();
  CHECK(child->sent.size() == 6);
  child->say([](auto frame) { result(frame, "1"); });
  world.run();
  child->die(true, SIGKILL);
  CHECK(world.outcome().usage.operations == 5);
  CHECK(world.event_names() == std::vector<std::string>{"environment used", "environment used",
                                                        "resource.operations denied",
                                                        "execute used"});
  CHECK(world.events[2].operation == "environment");
  CHECK(world.events.back().count == 2u);
}

TEST_CASE("a request whose parts are not what they should be ends the call, whoever reads them") {
  // The use of a tool whose arguments, which only the event looks at, are bytes and no struct.
  constexpr std::uint64_t kWords[] = {0xe00000000,
                                      0x1000100000000,
                                      0,
                                      0x3000300000000,
                                      0x1,
                                      0x6,
                                      0x5200000009,
                                      0x1a0000000d,
                                      0x820000000d,
                                      0x6f8c8dba9b707954,
                                      0x72,
                                      0x6f6e,
                                      0x7840616d66,
                                      0,
                                      0x2e6e69000000000e};
  Payload frame = Payload::uninitialised(sizeof kWords);
  std::memcpy(frame.mutable_bytes().data(), kWords, sizeof kWords);
  World world;
  auto child = world.running_child(with_mode());
  child->deliver(std::move(frame));
  world.run();
  child->die(true, SIGKILL);
  CHECK(world.outcome().status == Status::kCrashed);  // not terminated, for want of a broker
}

TEST_CASE("breaking the protocol ends the child and the call as crashed") {
  const auto run = [](auto&& misbehave) {
    World world;
    auto child = world.running_child(with_mode());
    misbehave(*child);
    world.run();
    CHECK(child->killed == KillReason::kProtocol);
    child->die(true, SIGKILL);
    CHECK(world.outcome().status == Status::kCrashed);
    CHECK(world.event_names().back() == "execute error");
  };
  SECTION("an id that does not increase") {
    run([](test::FakeChild& child) {
      child.say(environment_request(2, "MODE"));
      child.say(environment_request(2, "MODE"));
    });
  }
  SECTION("id zero") {
    run([](test::FakeChild& child) { child.say(environment_request(0, "MODE")); });
  }
  SECTION("a result that is no JSON") {
    run([](test::FakeChild& child) { child.say([](auto frame) { result(frame, "{\"a\":"); }); });
  }
}

TEST_CASE("a limit ends the call as itself, with an event of its own") {
  World world;
  AISandboxOptions options;
  options.resources.wall_clock_ms = 20;
  auto child = world.running_child(options);
  REQUIRE(world.limits.begun.size() == 1);
  CHECK(world.limits.begun[0].wall_clock == 20ms);
  world.limits.reach(KillReason::kWallClock);
  child->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  CHECK(outcome.status == Status::kTimeout);
  CHECK(outcome.denial->capability == "resource.wallClock");
  CHECK(world.event_names() ==
        std::vector<std::string>{"resource.wallClock denied", "execute denied"});
}

TEST_CASE("time that is up before there is a child ends the call without one") {
  World world;
  world.call();
  world.limits.reach(KillReason::kWallClock);
  CHECK(world.outcome().status == Status::kTimeout);
  auto late = world.children.give();
  const auto alive = late->alive_;
  late.reset();
  world.run();
  CHECK_FALSE(*alive);
}

TEST_CASE("a compile error runs nothing") {
  World world;
  world.call();
  auto child = world.children.give();
  world.compiler.fail({CompileFailure::Kind::kSyntax, "Unexpected \"}\"", 3, 7});
  const Outcome outcome = world.outcome();
  CHECK(outcome.status == Status::kCompileError);
  CHECK(outcome.error->line == 3);
  CHECK(outcome.error->column == 7);
  CHECK_FALSE(child->started());
  CHECK(world.event_names() == std::vector<std::string>{"execute error"});
}

TEST_CASE("a host that cannot give a child makes the call unavailable") {
  World world;
  world.call();
  world.children.refuse({"landlock", "not supported", "Use Linux 5.13 or newer"});
  const Outcome outcome = world.outcome();
  CHECK(outcome.status == Status::kUnavailable);
  CHECK(outcome.error->message.find("Use Linux 5.13") != std::string::npos);
}

TEST_CASE("a child that cannot be limited gets no job, and the call is unavailable") {
  World world;
  world.call();
  const auto child = world.children.give();
  child->cannot_be_limited = StartFailure{"resource limits", "not permitted", "raise the limit"};
  world.compiler.succeed("code");
  const Outcome outcome = world.outcome();
  CHECK(outcome.status == Status::kUnavailable);
  CHECK(outcome.error->message ==
        "This host cannot enforce the sandbox: resource limits: not permitted. raise the limit");
  CHECK(child->sent.empty());
  CHECK(world.event_names() == std::vector<std::string>{"execute error"});
}

TEST_CASE("terminate ends a call in every phase") {
  World world;
  SECTION("while preparing") {
    world.call();
    world.self->send(world.sandbox, terminate_atom_v, std::string("sb-1"));
  }
  SECTION("while running, even when a result follows") {
    auto child = world.running_child();
    world.self->send(world.sandbox, terminate_atom_v, std::string("sb-1"));
    world.run();
    CHECK(child->killed == KillReason::kTerminated);
    child->say([](auto frame) { result(frame, "1"); });
    world.run();
    child->die(true, SIGKILL);
  }
  CHECK(world.outcome().status == Status::kTerminated);
  CHECK(world.event_names() == std::vector<std::string>{"execute error"});
}

TEST_CASE("another call's id terminates nothing") {
  World world;
  auto child = world.running_child();
  world.self->send(world.sandbox, terminate_atom_v, std::string("sb-2"));
  world.run();
  CHECK(child->killed == KillReason::kNone);
  child->say([](auto frame) { result(frame, "1"); });
  world.run();
  child->die(true, SIGKILL);
  CHECK(world.outcome().status == Status::kOk);
}

TEST_CASE("what is in flight at the end is awaited, and has its event before execute") {
  World world;
  AISandboxOptions options;
  auto child = world.running_child(options);
  child->say([](wire::ChildFrame::Builder frame) {
    auto request = frame.initRequest();
    request.setId(1);
    request.setReadText("/etc/hostname");
  });
  world.run();
  REQUIRE(world.blocking.held.size() == 1);
  child->say([](auto frame) { result(frame, "1"); });
  world.run();
  child->die(true, SIGKILL);
  CHECK_FALSE(world.answered());
  world.blocking.run_all();
  CHECK(world.outcome().status == Status::kOk);
  CHECK(world.event_names() == std::vector<std::string>{"filesystem.read denied", "execute used"});
}

TEST_CASE("an audit that cannot be written stops the run") {
  World world;
  auto child = world.running_child(with_mode());
  caf::anon_send_exit(world.auditor, caf::exit_reason::kill);
  world.run();
  child->say(environment_request(1, "MODE"));
  world.run();
  CHECK(child->sent.size() == 1);  // no reply reached the guest
  CHECK(child->killed == KillReason::kTerminated);
  child->die(true, SIGKILL);
  CHECK(world.outcome().status == Status::kAuditFailed);
}

TEST_CASE("no answer is lost when the sandbox actor itself dies") {
  const auto die = [](caf::exit_reason reason) {
    World world;
    auto child = world.running_child();
    const auto alive = child->alive_;
    child.reset();
    world.limits.last->child.reset();
    caf::anon_send_exit(world.sandbox, reason);
    CHECK(world.outcome().status == Status::kTerminated);
    CHECK_FALSE(*alive);
  };
  die(caf::exit_reason::user_shutdown);
  die(caf::exit_reason::kill);
}

TEST_CASE("no answer is lost when an actor of the call throws") {
  World world;
  auto child = world.running_child(with_mode());
  SECTION("the sandbox") {
    child->fail_to_send = true;
    child->say(environment_request(1, "MODE"));
    child.reset();
    world.limits.last->child.reset();
    CHECK(world.outcome().status == Status::kTerminated);
  }
  SECTION("the auditor") {
    world.fail_to_publish = true;
    child->say(environment_request(1, "MODE"));
    world.run();
    CHECK(child->sent.size() == 1);
    child->die(true, SIGKILL);
    CHECK(world.outcome().status == Status::kAuditFailed);
  }
}

TEST_CASE("options that cannot be used are refused by name, and nothing starts") {
  World world;
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{{"/no/such/root"}, {}};
  world.call(options);
  CHECK(world.children.waiting.empty());
  std::string text;
  world.answer->receive([](const OutcomeMessage&) { FAIL("ran"); },
                        [&](const caf::error& error) {
                          CHECK(error == ActorError::kInvalidOptions);
                          text = to_string(error.context());
                        });
  CHECK_THAT(text, Catch::Matchers::Contains("filesystem.read[0]"));
}

TEST_CASE("the console is kept, cut at its limit, and well formed") {
  World world;
  AISandboxOptions options;
  options.resources.max_console_bytes = 8;
  auto child = world.running_child(options);
  const auto print = [&](const char* text) {
    child->say([=](wire::ChildFrame::Builder frame) { frame.initConsole().setText(text); });
  };
  print("ab\xff");
  print("123456789");
  print("never");
  child->say([](auto frame) { result(frame, "1"); });
  world.run();
  child->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  CHECK(outcome.console == "ab\xEF\xBF\xBD\n12\n");
  CHECK(outcome.console_truncated);
}

TEST_CASE("empty lines fill the console too") {
  World world;
  AISandboxOptions options;
  options.resources.max_console_bytes = 5;
  auto child = world.running_child(options);
  for (int line = 0; line < 100; ++line) {
    child->say([](wire::ChildFrame::Builder frame) { frame.initConsole().setText(""); });
  }
  child->say([](auto frame) { result(frame, "1"); });
  world.run();
  child->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  CHECK(outcome.console == std::string(6, '\n'));  // the cut line's own is one more
  CHECK(outcome.console_truncated);
}

TEST_CASE("a pool runs a bounded number of calls, queues some, and refuses the rest as busy") {
  World world;
  const auto pool = world.system.spawn(pool_actor, PoolSetup{&world.services, world.auditor, 1, 1});
  const auto ask = [&](const char* id) {
    return world.self->request(pool, 1s, run_atom_v, call_message({}, id), caf::strong_actor_ptr());
  };
  auto first = ask("a");
  auto second = ask("b");
  auto third = ask("c");
  world.run();
  CHECK(world.children.waiting.size() == 1);
  bool busy = false;
  third.receive([](const OutcomeMessage&) { FAIL("ran"); },
                [&](const caf::error& error) { busy = error == ActorError::kBusy; });
  CHECK(busy);

  const auto status = [](auto& handle) {
    Status result = Status::kUnavailable;
    handle.receive([&](const OutcomeMessage& message) { result = read_outcome(message).status; },
                   [](const caf::error&) { FAIL("no outcome"); });
    return result;
  };
  SECTION("the next starts when one ends") {
    world.compiler.fail({CompileFailure::Kind::kSyntax, "no", 1, 1});
    world.run();
    CHECK(status(first) == Status::kCompileError);
    CHECK(world.compiler.waiting.size() == 1);
    world.compiler.fail({CompileFailure::Kind::kSyntax, "no", 1, 1});
    world.run();
    CHECK(status(second) == Status::kCompileError);
    caf::anon_send_exit(pool, caf::exit_reason::user_shutdown);
    world.run();
  }
  SECTION("a queued call can be terminated") {
    world.self->send(pool, terminate_atom_v, std::string("b"));
    world.run();
    CHECK(status(second) == Status::kTerminated);
    caf::anon_send_exit(pool, caf::exit_reason::user_shutdown);
    world.run();
    CHECK(status(first) == Status::kTerminated);
  }
  SECTION("leaving ends what runs and refuses what waits") {
    caf::anon_send_exit(pool, caf::exit_reason::user_shutdown);
    world.run();
    CHECK(status(first) == Status::kTerminated);
    bool shut_down = false;
    second.receive([](const OutcomeMessage&) { FAIL("ran"); },
                   [&](const caf::error& error) { shut_down = error == ActorError::kShutDown; });
    CHECK(shut_down);
  }
}

namespace {

auto spawn_request(std::uint64_t id, const char* executable) {
  return [=](wire::ChildFrame::Builder frame) {
    auto request = frame.initRequest();
    request.setId(id);
    auto command = request.initSpawn();
    command.setExecutable(executable);
    command.initArguments(1).set(0, "-x");
  };
}

AISandboxOptions with_command() {
  AISandboxOptions options;
  options.subprocess.emplace().commands = {"/bin/sh"};
  return options;
}

}  // namespace

TEST_CASE("a granted command is started as checked, its end recorded and then told") {
  World world;
  auto child = world.running_child(with_command());
  child->say(spawn_request(1, "/bin/sh"));
  world.run();
  REQUIRE(world.commands.started.size() == 1);
  CHECK(world.commands.started[0].command.path == "/bin/sh");
  CHECK(world.commands.started[0].arguments == std::vector<std::string>{"-x"});
  CHECK(world.events.empty());
  const auto report = std::make_shared<const SubprocessReport>(
      SubprocessReport{{{"memory", "cgroup v1: all of it"}}, {{"cpu", "none here"}}});
  world.commands.end({CommandOutput{-1, 9, "out", "err\xff"}, report});
  world.run();
  REQUIRE(world.events.size() == 1);
  CHECK(world.events[0].reason == "memory: cgroup v1; left out: cpu");
  CHECK(world.events[0].bytes == 7);
  REQUIRE(child->sent.size() == 2);
  const auto reply = child->sent[1].read();
  const auto exit = reply->getReply().getExit();
  CHECK(exit.getCode() == -1);
  CHECK(exit.getSignal() == 9);
  CHECK(std::string(exit.getStderr().cStr()) == "err\xEF\xBF\xBD");
  child->say([](auto frame) { result(frame, "1"); });
  world.run();
  child->die(true, 9);
  const Outcome outcome = world.outcome();
  REQUIRE(outcome.subprocess);
  CHECK(outcome.subprocess->walls[0].mechanism == "cgroup v1: all of it");
  CHECK(outcome.subprocess->missing[0].name == "cpu");
}

TEST_CASE("a command that is not granted is never started") {
  World world;
  auto child = world.running_child(with_command());
  child->say(spawn_request(1, "/bin/cat"));
  world.run();
  CHECK(world.commands.started.empty());
  CHECK(world.event_names() == std::vector<std::string>{"subprocess denied"});
}

TEST_CASE("a command that runs at the call's end is cancelled before the outcome") {
  World world;
  auto child = world.running_child(with_command());
  child->say(spawn_request(1, "/bin/sh"));
  child->say([](auto frame) { result(frame, "1"); });
  world.run();
  child->die(true, 9);
  CHECK(world.outcome().status == Status::kOk);
  CHECK(world.commands.waiting.empty());
  CHECK(world.event_names() == std::vector<std::string>{"subprocess error", "execute used"});
}
