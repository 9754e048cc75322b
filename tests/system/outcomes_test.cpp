// Every status of the contract, reached by what really causes it.

#include <catch2/catch.hpp>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "tests/system/killer.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using test::World;
using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

TEST_CASE("ok: the value, the console and the usage") {
  World world;
  const Outcome outcome = world.run(
      "enum Kind { A = 1 } export default (a: number, b: number) => { console.log('adding', a); "
      "return { sum: a + b + Kind.A }; };",
      {}, "[1,2]");
  CHECK(outcome.status == Status::kOk);
  CHECK(outcome.value().json() == R"({"sum":4})");
  CHECK(outcome.console == "adding 1\n");
  CHECK(outcome.usage.wall_ms > 0);
  CHECK(outcome.usage.cpu_ms > 0);
  CHECK(outcome.usage.peak_memory_bytes > 0);
}

TEST_CASE("ok: a value may be 1,000 deep, whatever its levels are") {
  World world;
  for (const char* level : {"[v]", "{ v }", "new Map([[1, v]])", "new Set([v])"}) {
    const std::string source =
        "export default (n: number) => { let v: any = 1; for (let i = 0; i < n; i++) v = " +
        std::string(level) + "; return v; };";
    CHECK(world.run(source, {}, "[998]").status == Status::kOk);
    const Outcome deeper = world.run(source, {}, "[1001]");
    CHECK(deeper.status == Status::kError);
    CHECK_THAT(deeper.error->message, Contains("result"));
  }
}

TEST_CASE("error: name, message, and the TypeScript's lines") {
  World world;
  const Outcome outcome = world.run(R"(interface Unused { a: string }
type AlsoUnused = Unused[];

function fail(depth: number): never {
  throw new RangeError('deep ' + depth);
}
export default () => {
  fail(3);
};
)");
  CHECK(outcome.status == Status::kError);
  CHECK(outcome.error->name == "RangeError");
  CHECK(outcome.error->message == "deep 3");
  CHECK_THAT(outcome.error->stack, Contains("main.ts:5:") && Contains("main.ts:8:"));
  CHECK_THROWS_AS(outcome.value(), SandboxError);
  CHECK(world.event_lines() == Lines{"execute error"});
}

TEST_CASE("error: whatever is thrown") {
  World world;
  for (const char* thrown : {"null", "undefined", "7", "'text'", "{}", "Symbol('s')"}) {
    const Outcome outcome =
        world.run("export default () => { throw " + std::string(thrown) + "; };");
    CHECK(outcome.status == Status::kError);
    CHECK_FALSE(outcome.error->message.empty());
  }
}

TEST_CASE("error: stack overflow is the guest's to catch") {
  World world;
  const Outcome caught = world.run(
      "export default () => { const f = (): number => 1 + f(); try { return f(); } catch (e) { "
      "return 'caught'; } };");
  CHECK(caught.value().json() == "\"caught\"");
  const Outcome uncaught =
      world.run("export default () => { const f = (): number => 1 + f(); return f(); };");
  CHECK(uncaught.status == Status::kError);
}

TEST_CASE("error: a look-alike denial is no denial") {
  World world;
  const Outcome outcome = world.run(R"ts(
    import { SandboxDeniedError, environment } from 'fino:ai/sandbox/capabilities';
    export default async () => {
      try { await environment('X'); } catch {}
      throw new (SandboxDeniedError as any)('environment', 'made up', 'X');
    };
  )ts");
  CHECK(outcome.status == Status::kError);
}

TEST_CASE("compile_error: with the position in the source") {
  World world;
  const Outcome outcome = world.run("const ok = 1;\nexport default () => { return 1 +; };\n");
  CHECK(outcome.status == Status::kCompileError);
  CHECK(outcome.error->line == 2);
  CHECK(outcome.error->column == 34);
}

TEST_CASE("compile_error: what only the engine refuses, and a source over its limit") {
  World world;
  const Outcome regexp = world.run("type T = 1;\n\nexport default () => /(?i:a)/.test('A');\n");
  CHECK(regexp.status == Status::kCompileError);
  CHECK(regexp.error->line == 3);
  AISandboxOptions options;
  options.resources.max_source_bytes = 10;
  const Outcome large = world.run("export default () => 1;", options);
  CHECK(large.status == Status::kCompileError);
  CHECK_THAT(large.error->message, Contains("maxSourceBytes"));
}

TEST_CASE("denied: an uncaught denial") {
  World world;
  const Outcome outcome = world.run(R"ts(
    import { environment } from 'fino:ai/sandbox/capabilities';
    export default () => environment('HOME');
  )ts");
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "environment");
  CHECK_THAT(outcome.denial->message, Contains("Environment variable") && Contains("not granted"));
  CHECK_THROWS_AS(outcome.value(), SandboxDeniedError);
  CHECK(world.event_lines() == Lines{"environment denied HOME", "execute denied"});
}

TEST_CASE("timeout: loops of every kind, and what never settles") {
  World world;
  AISandboxOptions options;
  options.resources.wall_clock_ms = 100;
  for (const char* body : {"while (true) {}", "return new Promise(() => {});",
                           "return (async () => { for (;;) await null; })();",
                           "return /^(([a-z])+.)+[A-Z]([a-z])+$/.test('a'.repeat(60));",
                           "return new Array(1e8).fill(0).sort(() => 1).length;"}) {
    const auto begun = std::chrono::steady_clock::now();
    const Outcome outcome =
        world.run("export default () => { " + std::string(body) + " };", options);
    CHECK(outcome.status == Status::kTimeout);
    CHECK(outcome.denial->capability == "resource.wallClock");
    CHECK_THAT(outcome.denial->message, Contains("exceeded 100ms"));
    CHECK(std::chrono::steady_clock::now() - begun < 5s);
  }
}

TEST_CASE("timeout: 20 ms for while(true)") {
  World world;
  AISandboxOptions options;
  options.resources.wall_clock_ms = 20;
  const Outcome outcome =
      world.run("export default () => { console.log('in'); while (true) {} };", options);
  CHECK(outcome.status == Status::kTimeout);
  CHECK_THAT(outcome.denial->message, Contains("exceeded 20ms"));
  CHECK(world.event_lines() == Lines{"resource.wallClock denied", "execute denied"});
}

TEST_CASE("cpu_limit: CPU time, not waiting, is what counts") {
  World world;
  AISandboxOptions options;
  options.resources.max_cpu_ms = 50;
  const Outcome busy = world.run("export default () => { while (true) {} };", options);
  CHECK(busy.status == Status::kCpuLimit);
  CHECK(busy.denial->capability == "resource.cpu");
  const Outcome idle = world.run(
      "export default () => new Promise((done) => setTimeout(() => done('slept'), 150));", options);
  CHECK(idle.status == Status::kOk);
}

TEST_CASE("out_of_memory: the guest's memory, in whatever form") {
  World world;
  AISandboxOptions options;
  options.resources.max_memory_bytes = 32 << 20;
  for (const char* body : {"const a: any[] = []; for (;;) a.push(new Array(10000).fill(7));",
                           "const a: string[] = []; for (let i = 0;; i++) a.push(('x' + "
                           "i).repeat(1000).split('').join('y'));",
                           "const a: any[] = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1));",
                           "const m = new Map(); for (let i = 0;; i++) m.set(i, { i });"}) {
    const Outcome outcome =
        world.run("export default () => { " + std::string(body) + " };", options);
    CHECK(std::string(to_string(outcome.status)) == "out_of_memory");
  }
  CHECK(world.run("export default () => 'fine';", options).status == Status::kOk);
}

TEST_CASE("output_limit: the result's size") {
  World world;
  AISandboxOptions options;
  options.resources.max_result_bytes = 1000;
  CHECK(world.run("export default () => 'x'.repeat(998);", options).status == Status::kOk);
  const Outcome outcome = world.run("export default () => 'x'.repeat(999);", options);
  CHECK(outcome.status == Status::kOutputLimit);
  CHECK(outcome.denial->capability == "resource.result");
}

TEST_CASE("crashed: a child that dies is named with its signal, and the next call works") {
  World world(RuntimeOptions{.spare_children = 0});
  AISandbox sandbox(world.runtime, "export default () => { console.log('up'); while (true) {} };",
                    {});
  auto future = sandbox.call_async();
  const pid_t victim = test::wait_for_busy_child();
  REQUIRE(victim > 0);
  REQUIRE(::kill(victim, SIGSEGV) == 0);
  const Outcome outcome = future.get();
  CHECK(outcome.status == Status::kCrashed);
  CHECK(outcome.signal == SIGSEGV);
  CHECK_THAT(outcome.error->message, Contains("SIGSEGV"));
  CHECK(outcome.console == "up\n");
  // The zygote is replaced meanwhile; no call notices.
  for (int i = 0; i < 5; ++i) CHECK(world.run("export default () => 1;").status == Status::kOk);
}

TEST_CASE("a spare child that dies while it waits costs no call anything") {
  RuntimeOptions options;
  options.spare_children = 3;
  World world(std::move(options));
  CHECK(world.run("export default () => 1;").status == Status::kOk);
  // The youngest are spares; the zygote is older, the compiler has another name.
  for (int round = 0; round < 3; ++round) {
    REQUIRE(test::kill_spares(3));
    CHECK(world.run("export default () => 1;").status == Status::kOk);
  }
}

TEST_CASE("terminated: by the host, from another thread") {
  World world;
  AISandbox sandbox(world.runtime, "export default () => { while (true) {} };", {});
  auto future = sandbox.call_async();
  std::thread([&] { sandbox.terminate(); }).join();
  CHECK(future.get().status == Status::kTerminated);
  sandbox.terminate();
}

TEST_CASE("unavailable: a runtime without its engine says so at once") {
  test::ScratchDirectory empty;
  CHECK_THROWS_AS(Runtime(RuntimeOptions{.engine_directory = empty.path()}), Unavailable);
}

TEST_CASE("audit_failed: a log that cannot be written stops the run") {
  if (::access("/dev/full", W_OK) != 0) {
    WARN("skipped: no /dev/full on this host");
    return;
  }
  CHECK_THROWS_AS(Runtime(RuntimeOptions{.audit_file = "/dev/full"}), Unavailable);
}

TEST_CASE("misuse: a second call, and a call after terminate, start nothing") {
  World world;
  AISandbox sandbox(world.runtime, "export default () => 1;");
  CHECK(sandbox.call().status == Status::kOk);
  CHECK_THROWS_AS(sandbox.call(), CallError);
  AISandbox ended(world.runtime, "export default () => 1;");
  ended.terminate();
  CHECK_THROWS_AS(ended.call(), CallError);
  CHECK(world.event_lines() == Lines{"execute used"});
}

TEST_CASE("misuse: a full queue is busy") {
  World world(RuntimeOptions{.max_concurrent_calls = 1, .max_queued_calls = 1});
  const char* const loop = "export default () => { while (true) {} };";
  AISandbox first(world.runtime, loop), second(world.runtime, loop), third(world.runtime, loop);
  auto running = first.call_async();
  auto queued = second.call_async();
  std::future<Outcome> refused = third.call_async();
  try {
    refused.get();
    FAIL("ran");
  } catch (const CallError& error) {
    CHECK(error.reason() == CallError::Reason::kBusy);
  }
  first.terminate();
  second.terminate();
  CHECK(running.get().status == Status::kTerminated);
  CHECK(queued.get().status == Status::kTerminated);
}

TEST_CASE("invalid options throw at construction and name the field") {
  World world;
  AISandboxOptions options;
  options.resources.max_operations = 0;
  CHECK_THROWS_WITH(AISandbox(world.runtime, "", options), Contains("resources.maxOperations"));
  options = {};
  options.filesystem = SandboxFilesystemGrant{{"relative"}, {}};
  CHECK_THROWS_WITH(AISandbox(world.runtime, "", options), Contains("filesystem.read[0]"));
}

TEST_CASE("a host that is killed leaves no process behind") {
  const pid_t host = ::fork();
  REQUIRE(host >= 0);
  if (host == 0) {
    try {
      World world;
      world.run("export default () => { while (true) {} };");
    } catch (...) {
    }
    ::_exit(1);
  }
  const pid_t busy = test::wait_for_busy_child(host);
  CHECK(busy > 0);
  const auto family = test::children(host);
  CHECK(family.size() >= 4);  // init, zygote, compiler and the call's child
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  CHECK(test::wait_until_gone(family));
}

TEST_CASE("a runtime that goes away ends its calls and leaves nothing") {
  const auto before = test::count_descriptors();
  std::future<Outcome> future;
  {
    World world;
    AISandbox sandbox(world.runtime, "export default () => { while (true) {} };");
    future = sandbox.call_async();
    REQUIRE(test::wait_for_busy_child() > 0);
  }
  CHECK(future.get().status == Status::kTerminated);
  CHECK(test::children().empty());
  CHECK(test::count_descriptors() == before);
}

TEST_CASE("a runtime can go although the threads that made it and called it live on") {
  std::promise<void> over;
  const std::shared_future<void> wait(over.get_future());
  std::promise<std::unique_ptr<World>> made;
  std::jthread maker([&made, wait] {
    made.set_value(std::make_unique<World>());
    wait.wait();
  });
  auto world = made.get_future().get();
  std::promise<Status> called;
  std::jthread caller([&world, &called, wait] {
    called.set_value(world->run("export default () => 1;").status);
    wait.wait();
  });
  CHECK(called.get_future().get() == Status::kOk);
  CHECK(world->runtime.drain(std::chrono::minutes(1)));
  world.reset();
  over.set_value();
}
