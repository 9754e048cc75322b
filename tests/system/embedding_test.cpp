// What a service does with a runtime: other ways to call, preparing, draining, reading figures, and
// its own actor system.

#include <catch2/catch.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include <cordon/actors.h>

#include "tests/actors/meter.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using test::World;
using namespace std::chrono_literals;

namespace {

const char* const kLoop = "export default () => { while (true); }";
const char* const kDouble = "export default (n: number) => 2 * n";

// A service's actor system, its auditor's events, and a runtime in it.
struct Service {
  explicit Service(RuntimeOptions options = {}, ActorOptions actors = {})
      : system(configured(config)), runtime(start_runtime(system, std::move(options), actors)) {}

  static caf::actor_system_config& configured(caf::actor_system_config& config) {
    configure(config);
    return config;
  }

  caf::actor_system_config config;
  caf::actor_system system;
  Runtime runtime;
};

// What a request comes to, as text.
template <class Handle>
std::string answer(caf::scoped_actor& self, const Handle& handle, const CallMessage& call,
                   caf::strong_actor_ptr listener = {}) {
  std::string text;
  self->request(handle, 30s, run_atom_v, call, listener)
      .receive(
          [&](const OutcomeMessage& message) {
            const Outcome outcome = read_outcome(message);
            text = outcome.result ? outcome.result->json() : to_string(outcome.status);
          },
          [&](const caf::error& error) { text = self->system().render(error); });
  return text;
}

}  // namespace

TEST_CASE("a callback gets the outcome, or why there was no call") {
  World world({.max_concurrent_calls = 1, .max_queued_calls = 0});
  AISandbox loop(world.runtime, kLoop);
  std::promise<CallAnswer> first;
  loop.call_then(Value::from_json("[]"),
                 [&](CallAnswer answer) { first.set_value(std::move(answer)); });
  AISandbox second(world.runtime, kDouble);
  std::promise<CallAnswer> refused;
  second.call_then(Value::from_json("[1]"),
                   [&](CallAnswer answer) { refused.set_value(std::move(answer)); });
  const CallAnswer busy = refused.get_future().get();
  REQUIRE(std::holds_alternative<CallError>(busy));
  CHECK(std::get<CallError>(busy).reason() == CallError::Reason::kBusy);
  CHECK_THROWS_AS(second.call_then(Value::from_json("[1]"), [](const CallAnswer&) {}), CallError);
  loop.terminate();
  const CallAnswer ended = first.get_future().get();
  REQUIRE(std::holds_alternative<Outcome>(ended));
  CHECK(std::get<Outcome>(ended).status == Status::kTerminated);
  CHECK(std::get<Outcome>(ended).sandbox == loop.id());
}

TEST_CASE("a prepared program is called many times, from many threads, a fresh child each") {
  World world({.max_concurrent_calls = 4});
  AISandboxOptions options;
  options.environment = {{"LABEL", "sum"}};
  const PreparedProgram program(world.runtime, R"(
    import { environment } from 'fino:ai/sandbox/capabilities';
    let calls = 0;
    export default async (n: number) => [await environment('LABEL'), 2 * n, ++calls];
  )",
                                options);
  CHECK_FALSE(program.compile_error());
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 5; ++i) {
        const int n = 5 * thread + i;
        const Outcome outcome = program.call(Value::from({n}));
        if (outcome.value().json() == "[\"sum\"," + std::to_string(2 * n) + ",1]") ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(right == 20);
  CHECK(world.runtime.metrics().calls.at("ok") == 20);

  AISandbox one = program.sandbox();
  CHECK(one.call(Value::from_json("[4]")).value().json() == R"(["sum",8,1])");
  CHECK_THROWS_AS(one.call(Value::from_json("[4]")), CallError);
}

TEST_CASE("what cannot be prepared says so at once, and in every call") {
  World world;
  const PreparedProgram broken(world.runtime, "export default () => {\n  return }}");
  REQUIRE(broken.compile_error());
  CHECK(broken.compile_error()->line == 2);
  const Outcome outcome = broken.call();
  CHECK(outcome.status == Status::kCompileError);
  CHECK(outcome.error->message == broken.compile_error()->message);

  AISandboxOptions small;
  small.resources.max_source_bytes = 10;
  const PreparedProgram large(world.runtime, kDouble, small);
  REQUIRE(large.compile_error());
  CHECK_THAT(large.compile_error()->message, Contains("maxSourceBytes"));
  CHECK(large.call().status == Status::kCompileError);

  AISandboxOptions wrong;
  wrong.resources.max_operations = 0;
  CHECK_THROWS_AS(PreparedProgram(world.runtime, kDouble, wrong), InvalidOption);
}

TEST_CASE("a program is prepared together with its tests") {
  World world;
  const std::string source = "const double = (n: number) => 2 * n;";
  const auto entry = ProgramOptions::Entry::kScript;
  const PreparedProgram passing(world.runtime, source, {},
                                {.entry = entry, .tests = "if (double(2) !== 4) throw 'no';"});
  CHECK_FALSE(passing.compile_error());
  CHECK(passing.call().status == Status::kOk);
  const PreparedProgram failing(world.runtime, source, {},
                                {.entry = entry, .tests = "if (double(2) !== 5) throw 'no';"});
  CHECK_FALSE(failing.compile_error());
  const Outcome failed = failing.call();
  REQUIRE(failed.status == Status::kError);
  CHECK(failed.error->in_tests);

  const PreparedProgram broken(world.runtime, source, {}, {.entry = entry, .tests = "double(;"});
  REQUIRE(broken.compile_error());
  CHECK(broken.compile_error()->in_tests);
  CHECK(broken.call().status == Status::kCompileError);
  AISandboxOptions small;
  small.resources.max_source_bytes = source.size();
  const PreparedProgram large(world.runtime, source, small,
                              {.entry = entry, .tests = std::string(source.size() + 1, ';')});
  REQUIRE(large.compile_error());
  CHECK(large.compile_error()->in_tests);
  CHECK_THAT(large.compile_error()->message, Contains("maxSourceBytes"));
  CHECK(large.call().status == Status::kCompileError);
}

TEST_CASE("a listener that throws costs the call nothing") {
  World world;
  int lines = 0;
  const Outcome outcome =
      world.run("console.log(1); export default () => { console.log(2); return 3 }", {}, "[]",
                {.on_console = [&](std::string_view, std::string_view) {
                  ++lines;
                  throw std::runtime_error("the listener's own");
                }});
  CHECK(outcome.value().json() == "3");
  CHECK(outcome.console == "1\n2\n");
  CHECK(lines == 2);
}

TEST_CASE("draining lets calls end and admits no more") {
  World world;
  AISandbox loop(world.runtime, kLoop);
  auto running = loop.call_async();
  CHECK_FALSE(world.runtime.drain(10ms));
  AISandbox late(world.runtime, kDouble);
  try {
    late.call(Value::from_json("[1]"));
    FAIL("ran");
  } catch (const CallError& error) {
    CHECK(error.reason() == CallError::Reason::kShutDown);
  }
  loop.terminate();
  CHECK(world.runtime.drain(30s));
  CHECK(running.get().status == Status::kTerminated);
}

TEST_CASE("figures tell what happened") {
  World world;
  AISandboxOptions options;
  options.environment = {{"A", "1"}};
  world.run(
      "import { environment } from 'fino:ai/sandbox/capabilities';"
      "export default async () => { await environment('A'); await environment('B'); }",
      options);
  world.run("export default () => 1");
  const Metrics metrics = world.runtime.metrics();
  CHECK(metrics.calls.at("denied") == 1);
  CHECK(metrics.calls.at("ok") == 1);
  CHECK(metrics.call_seconds.count == 2);
  CHECK(metrics.cpu_seconds.sum > 0);
  CHECK(metrics.peak_memory_bytes.sum > 0);
  CHECK(metrics.bytes_in > 0);
  CHECK(metrics.operations.at("environment") == 1);
  CHECK(metrics.denials.at("environment") == 1);
  CHECK(metrics.running_calls == 0);
}

TEST_CASE("a runtime goes while the threads that made and used it live on") {
  std::optional<World> world;
  std::promise<void> used;
  std::promise<void> gone;
  std::thread user([&] {
    world.emplace();
    CHECK(world->run(kDouble, {}, "[2]").value().json() == "4");
    CHECK_FALSE(world->runtime.audit_head().empty());
    CHECK(world->runtime.drain(30s));
    used.set_value();
    gone.get_future().wait();
  });
  used.get_future().wait();
  world.reset();
  gone.set_value();
  user.join();
}

TEST_CASE("two runtimes of one process share nothing") {
  World one;
  std::optional<World> other;
  other.emplace();
  AISandbox loop(other->runtime, kLoop);
  auto running = loop.call_async();
  CHECK(one.run(kDouble, {}, "[21]").value().json() == "42");
  CHECK(other->runtime.metrics().calls.at("ok") == 0);
  other.reset();
  CHECK(running.get().status == Status::kTerminated);
  CHECK(one.run(kDouble, {}, "[4]").value().json() == "8");
}

TEST_CASE("sandboxes are actors in a service's own system") {
  Service service;
  caf::scoped_actor self(service.system);
  const auto pool = pool_of(service.runtime);
  const Call call{.id = "mine",
                  .source = "export default (n) => { console.warn('n', n); return n }",
                  .arguments = Value::from_json("[7]")};
  std::promise<ConsoleLine> line;
  const auto listener = service.system.spawn([&](caf::event_based_actor* actor) -> caf::behavior {
    return {[&line, actor](console_atom, const ConsoleMessage& message) {
      line.set_value(read_console_line(message));
      actor->quit();
    }};
  });
  CHECK(answer(self, pool, make_call(call), caf::actor_cast<caf::strong_actor_ptr>(listener)) ==
        "7");
  const ConsoleLine heard = line.get_future().get();
  CHECK(heard.level == "warn");
  CHECK(heard.text == "n 7");

  const auto sandbox = spawn_sandbox(service.runtime);
  CHECK(answer(self, sandbox, make_call({.source = kDouble, .arguments = Value::from({3})})) ==
        "6");
  const auto small = spawn_pool(service.runtime, {.max_concurrent_calls = 1});
  CHECK(answer(self, small, make_call({.source = kDouble, .arguments = Value::from({4})})) == "8");
  AISandboxOptions wrong;
  wrong.resources.max_operations = 0;
  CHECK_THAT(answer(self, small, make_call({.source = kDouble, .options = wrong})),
             Contains("resources.maxOperations"));
  CHECK_THROWS_WITH(spawn_pool(service.runtime, {.max_concurrent_calls = 0}),
                    Contains("max_concurrent_calls"));
  CHECK(service.runtime.metrics().calls.at("ok") == 2);  // a sandbox outside a pool is nobody's
}

TEST_CASE("a call is ended by its id, and with the actor that asked") {
  Service service;
  caf::scoped_actor self(service.system);
  const auto pool = pool_of(service.runtime);
  auto request = self->request(pool, 30s, run_atom_v, make_call({.id = "loop", .source = kLoop}),
                               caf::strong_actor_ptr());
  self->send(pool, terminate_atom_v, std::string("loop"));
  Status status = Status::kOk;
  request.receive([&](const OutcomeMessage& message) { status = read_outcome(message).status; },
                  [](const caf::error&) { FAIL("no outcome"); });
  CHECK(status == Status::kTerminated);
  {
    caf::scoped_actor leaver(service.system);
    leaver->request(pool, 30s, run_atom_v, make_call({.source = kLoop}), caf::strong_actor_ptr());
  }
  CHECK(service.runtime.drain(30s));
  CHECK(service.runtime.metrics().calls.at("terminated") == 2);
}

TEST_CASE("a runtime in a service's system leaves nothing in it") {
  caf::actor_system_config config;
  configure(config);
  caf::actor_system system(config);
  const auto actors = system.registry().running();
  {
    caf::scoped_actor self(system);
    Runtime runtime = start_runtime(system);
    const auto pool = spawn_pool(runtime, {.max_concurrent_calls = 2});
    const auto idle = spawn_sandbox(runtime);
    self->send(pool, run_atom_v, make_call({.source = kLoop}), caf::strong_actor_ptr());
    AISandbox plain(runtime, kLoop);
    auto running = plain.call_async();
    CHECK(answer(self, pool, make_call({.source = kDouble, .arguments = Value::from({1})})) == "2");
  }
  system.registry().await_running_count_equal(actors);
  CHECK(system.registry().running() == actors);
  CHECK(test::wait_until_gone(test::children()));
}

TEST_CASE("a service's own budget and auditor are asked") {
  caf::actor_system_config config;
  configure(config);
  caf::actor_system system(config);
  test::Meter meter;
  meter.limit = 2;
  const auto budget = system.spawn(test::meter_actor, &meter);
  std::vector<std::string> heard;
  const auto auditor = spawn_auditor(
      system, {}, [&](const SandboxAuditEvent& event) { heard.push_back(event.capability); });
  {
    Runtime runtime = start_runtime(system, {}, {.auditor = auditor, .budget = budget});
    AISandboxOptions options;
    options.environment = {{"A", "1"}};
    const std::string source =
        "import { environment } from 'fino:ai/sandbox/capabilities';"
        "export default async () => { for (let i = 0; i < 3; i++) await environment('A'); }";
    AISandbox sandbox(runtime, source, options, {.tenant = "ann"});
    const Outcome outcome = sandbox.call();
    CHECK(outcome.status == Status::kDenied);
    CHECK(outcome.denial->capability == "resource.operations");
    CHECK_THAT(outcome.denial->message,
               Contains("operation budget") && Contains("ann has had enough"));
  }
  CHECK(meter.held.empty());
  CHECK(heard ==
        std::vector<std::string>{"environment", "environment", "resource.operations", "execute"});
  caf::anon_send_exit(auditor, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(budget, caf::exit_reason::user_shutdown);
}

TEST_CASE("more spare children than can be meant are refused") {
  CHECK_THROWS_WITH(Runtime(RuntimeOptions{.spare_children = 1025}),
                    Contains("spare_children must be at most 1024"));
}

TEST_CASE("a system that was not configured, and two auditors, are refused") {
  caf::actor_system_config bare;
  caf::actor_system unaware(bare);
  CHECK_THROWS_WITH(start_runtime(unaware), Contains("cordon::configure"));

  caf::actor_system_config config;
  configure(config);
  caf::actor_system system(config);
  const auto auditor = spawn_auditor(system);
  CHECK_THROWS_WITH(start_runtime(system, {.on_audit = [](const auto&) {}}, {.auditor = auditor}),
                    Contains("on_audit"));
  CHECK_THROWS_WITH(
      start_runtime(system, {.audit = {.standard_output = true}}, {.auditor = auditor}),
      Contains("on_audit"));
  {
    Runtime runtime = start_runtime(system, {}, {.auditor = auditor});
    CHECK_THROWS_AS(runtime.subscribe([](const auto&) {}, 1), std::logic_error);
    CHECK(runtime.audit_lost() == 0);
  }
  caf::anon_send_exit(auditor, caf::exit_reason::user_shutdown);
}
