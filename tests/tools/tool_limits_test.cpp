// Tools within the limits of a call, and calls that end while tools are busy.

#include <catch2/catch.hpp>

#include <future>
#include <mutex>
#include <utility>
#include <vector>

#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::World;
using Lines = std::vector<std::string>;

namespace {

AISandboxOptions with(ToolHandler handler) {
  AISandboxOptions options;
  options.tools = {{.specifier = "app/tools",
                    .description = {},
                    .tools = {{.name = "use",
                               .description = {},
                               .parameters = R"({"type":"object"})",
                               .result = {},
                               .handler = std::move(handler)}}}};
  return options;
}

constexpr const char* kUse = R"ts(
  import { use } from 'app/tools';
  export default async (input: any) => use(input);
)ts";

}  // namespace

TEST_CASE("tools count as operations") {
  World world;
  AISandboxOptions options = with([](const ToolCall& call) { call.reply(1); });
  options.resources.max_operations = 2;
  const Outcome outcome = world.run(R"ts(
    import { use } from 'app/tools';
    export default async () => { for (;;) await use(); }
  )ts",
                                    options);
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "resource.operations");
  CHECK_THAT(outcome.denial->message, Contains("operation budget"));
  CHECK(world.event_lines() == Lines{"tool used app/tools#use", "tool used app/tools#use",
                                     "resource.operations denied app/tools#use", "execute denied"});
}

TEST_CASE("a tool may be called as often as maxOperations says, one by one and all at once") {
  World world;
  AISandboxOptions options =
      with([](const ToolCall& call) { call.reply(call.arguments().value("n", 0)); });
  options.resources.max_operations = 600;
  const Outcome outcome = world.run(R"ts(
    import { use } from 'app/tools';
    export default async () => {
      let sum = 0;
      for (let n = 0; n < 300; n++) sum += await use({ n });
      const all = await Promise.all(Array.from({ length: 300 }, (_, n) => use({ n })));
      return all.reduce((a, b) => a + b, sum);
    };
  )ts",
                                    options);
  CHECK(outcome.value().view() == 89700);
  CHECK(outcome.usage.operations == 600);
}

TEST_CASE("arguments and results have a limit in bytes, and what fits passes") {
  World world;
  AISandboxOptions options = with([](const ToolCall& call) {
    call.reply(std::string(call.arguments().value("size", std::size_t{0}), 'x'));
  });
  options.resources.max_tool_bytes = 1000;
  const auto run = [&](const json& input) {
    return world.run(kUse, options, json::array({input}).dump());
  };
  CHECK(run({{"pad", std::string(990, 'x')}}).status == Status::kOk);  // 1,000 bytes
  const Outcome large = run({{"pad", std::string(991, 'x')}});
  CHECK(large.status == Status::kDenied);
  CHECK(large.denial->capability == "resource.bytes");
  CHECK(large.denial->message ==
        "Tool arguments of app/tools#use exceeds 1000 bytes (resources.maxToolBytes)");
  CHECK(run({{"size", 998}}).value().view().get<std::string>().size() == 998);
  const Outcome result = run({{"size", 999}});
  CHECK(result.denial->message ==
        "Tool result of app/tools#use exceeds 1000 bytes (resources.maxToolBytes)");
}

TEST_CASE("arguments that are beyond every limit are refused in the same way") {
  World world;
  const Outcome outcome = world.run(R"ts(
    import { use } from 'app/tools';
    export default async () => use({ pad: 'x'.repeat(20_000_000) });
  )ts",
                                    with([](const ToolCall& call) { call.reply(1); }));
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "resource.bytes");
  CHECK(world.event_lines() == Lines{"resource.bytes denied app/tools#use", "execute denied"});
}

TEST_CASE("a tool that never answers ends with the wall clock, and is told so") {
  World world;
  std::promise<void> told;
  std::optional<ToolCall> kept;
  AISandboxOptions options = with([&](const ToolCall& call) {
    call.on_cancel([&told] { told.set_value(); });
    kept = call;
  });
  options.resources.wall_clock_ms = 300;
  const Outcome outcome = world.run(kUse, options, "[{}]");
  CHECK(outcome.status == Status::kTimeout);
  told.get_future().get();
  REQUIRE(kept);
  CHECK(kept->cancelled());
  kept->reply(1);  // goes nowhere
  bool at_once = false;
  kept->on_cancel([&] { at_once = true; });
  CHECK(at_once);
  CHECK(world.event_lines() ==
        Lines{"tool error app/tools#use", "resource.wallClock denied", "execute denied"});
  CHECK(world.events().front().reason == "cancelled: the call was over");
}

TEST_CASE("calls beyond the concurrent ones wait, and the guest does not") {
  World world;
  std::mutex mutex;
  std::vector<ToolCall> kept;
  std::size_t calls_seen = 0;
  bool answers = false;
  AISandboxOptions options = with([&](const ToolCall& call) {
    const std::lock_guard lock(mutex);
    ++calls_seen;
    if (answers) return call.reply(0);
    kept.push_back(call);
  });
  options.resources.max_operations = 1000;
  ProgramOptions program;
  const auto answer_all = [&](std::string_view, std::string_view) {
    const std::lock_guard lock(mutex);
    answers = true;
    for (const ToolCall& each : kept) each.reply(0);
  };
  // Both are more than the host reads ahead.
  const auto [calls, bytes] = GENERATE(std::pair(700, 10), std::pair(40, 1'000'000));
  CAPTURE(calls, bytes);
  const auto run = [&](const char* then) {
    return world.run(R"ts(
      import { use } from 'app/tools';
      export default async (calls: number, bytes: number) => {
        const pad = 'x'.repeat(bytes);
        const all = Promise.all(Array.from({ length: calls }, () => use({ pad })));
        const timer = new Promise((resolve) => setTimeout(resolve, 50, 'timer'));
        const first = await Promise.race([all, timer]);
        console.log(first);
    )ts" + std::string(then) +
                         "}",
                     options, json::array({calls, bytes}).dump(), program);
  };
  SECTION("it ends without them") {
    const Outcome outcome = run("return first;");
    CHECK(outcome.value().view() == "timer");
    CHECK(outcome.console == "timer\n");
  }
  SECTION("all are made once tools answer") {
    program.on_console = answer_all;
    const Outcome outcome = run("return (await all).length;");
    CHECK(outcome.value().view() == calls);
    CHECK(outcome.console == "timer\n");
    CHECK(calls_seen == static_cast<std::size_t>(calls));
  }
}

TEST_CASE("a call does not wait for tools that block, and late answers outlive the runtime") {
  std::promise<void> release;
  auto released = release.get_future().share();
  std::promise<void> entered;
  std::optional<ToolCall> kept;
  {
    World world;
    const Outcome outcome = world.run(
        R"ts(
          import { use } from 'app/tools';
          let done = false;
          export default async () => { use(); await use({ wait: true }); return 'over'; };
        )ts",
        with([&](const ToolCall& call) {
          if (call.arguments().contains("wait")) {
            entered.get_future().wait();
            return call.reply(1);
          }
          kept = call;
          entered.set_value();
          released.wait();
        }));
    CHECK(outcome.value().view() == "over");  // while the first tool blocks
    CHECK(kept->cancelled());
    CHECK(world.event_lines() ==
          Lines{"tool used app/tools#use", "tool error app/tools#use", "execute used"});
    release.set_value();
  }
  kept->reply("late");
  kept.reset();
}

TEST_CASE("a handler may make a call of its own, and the runtime does not wait for its thread") {
  World world(RuntimeOptions{.max_concurrent_calls = 2});
  const Outcome outcome = world.run(kUse, with(answer_with([&](const ToolCall&) {
                                      AISandbox inner(world.runtime, "export default () => 'in'");
                                      return inner.call().value().view();
                                    })),
                                    "[{}]");
  CHECK(outcome.value().view() == "in");
}

TEST_CASE("calls that wait for a thread of the tools are cancelled as well") {
  RuntimeOptions few;
  few.tool_threads = 1;
  std::promise<void> release;
  auto released = release.get_future().share();
  std::atomic<int> handled{0};
  {
    World world(few);
    AISandboxOptions options = with([&](const ToolCall& call) {
      ++handled;
      released.wait();
      call.reply(1);
    });
    options.resources.wall_clock_ms = 500;
    const Outcome outcome = world.run(R"ts(
      import { use } from 'app/tools';
      export default () => Promise.all([use(), use(), use()]);
    )ts",
                                      options);
    CHECK(outcome.status == Status::kTimeout);
    CHECK(world.events().size() == 5);
    release.set_value();
  }
  CHECK(handled == 1);
}

TEST_CASE("terminate() cancels a tool") {
  World world;
  std::promise<void> entered;
  std::promise<void> told;
  std::optional<ToolCall> kept;
  AISandbox sandbox(world.runtime, kUse, with([&](const ToolCall& call) {
                      call.on_cancel([&] { told.set_value(); });
                      kept = call;
                      entered.set_value();
                    }));
  auto outcome = sandbox.call_async(Value::from_json("[{}]"));
  entered.get_future().wait();
  sandbox.terminate();
  CHECK(outcome.get().status == Status::kTerminated);
  told.get_future().wait();
  CHECK(kept->cancelled());
}

TEST_CASE("no more tools run at one time than maxConcurrentOperations") {
  World world;
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  AISandboxOptions options = with([&](const ToolCall& call) {
    const int now = ++running;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    --running;
    call.reply(now);
  });
  options.resources.max_concurrent_operations = 2;
  const Outcome outcome = world.run(R"ts(
    import { use } from 'app/tools';
    export default async () => (await Promise.all(Array.from({ length: 20 }, () => use()))).length;
  )ts",
                                    options);
  CHECK(outcome.value().view() == 20);
  CHECK(most <= 2);
}
