// Tools of the host, called by guests through the real engine.

#include <catch2/catch.hpp>

#include <future>
#include <thread>

#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::World;
using Lines = std::vector<std::string>;

namespace {

Tool tool(std::string name, ToolHandler handler, std::string parameters = R"({"type":"object"})") {
  return {.name = std::move(name),
          .description = {},
          .parameters = std::move(parameters),
          .result = {},
          .handler = std::move(handler)};
}

ToolHandler echo() {
  return answer_with([](const ToolCall& call) { return call.arguments(); });
}

AISandboxOptions with(std::vector<Tool> tools) {
  AISandboxOptions options;
  options.tools = {{.specifier = "app/tools", .description = {}, .tools = std::move(tools)}};
  return options;
}

// What `body` returns, having `tools` as all tools.
Outcome run(World& world, const AISandboxOptions& options, const std::string& body) {
  return world.run(
      "import * as tools from 'app/tools';\n"
      "const caught = async (call: () => Promise<unknown>) => {\n"
      "  try { return await call(); } catch (e: any) { return [e.name, e.message, "
      "Object.prototype.toString.call(e), e.capability]; } };\n"
      "export default async () => {" +
          body + "};",
      options);
}

}  // namespace

TEST_CASE("a guest calls a tool with its arguments and gets its result") {
  World world;
  const Outcome outcome = run(world, with({tool("echo", echo()), tool("other", echo())}), R"ts(
    const input: any = { text: 'é😀', n: -1.5, list: [1, null, { $num: 'x' }], gone: undefined };
    return [await tools.echo(input), await tools.other(), Object.keys(tools)];
  )ts");
  CHECK(outcome.value().view() ==
        json::parse(R"([{"text":"é😀","n":-1.5,"list":[1,null,{"$object":[["$num","x"]]}]},{},
                        ["echo","other"]])"));
  CHECK(world.event_lines() ==
        Lines{"tool used app/tools#echo", "tool used app/tools#other", "execute used"});
  CHECK(outcome.usage.operations == 2);
}

TEST_CASE("tools are reachable by every kind of import that modules are, and by no other name") {
  World world;
  const AISandboxOptions options = with({tool("echo", echo())});
  const Outcome dynamic = world.run(
      "export default async () => (await (await import('app/tools')).echo({ a: 1 })).a", options);
  CHECK(dynamic.value().view() == 1);
  const Outcome script = world.script(
      "const { echo } = require('app/tools'); if ((await echo({ a: 1 })).a !== 1) throw 1;",
      options);
  CHECK(script.status == Status::kOk);
  const Outcome wrong = world.run("import { echo } from 'app/tool'; export default echo", options);
  CHECK(wrong.status == Status::kError);
  CHECK_THAT(wrong.error->message, Contains("app/tools"));
  CHECK(world.run("import { nothing } from 'app/tools'; export default () => nothing", options)
            .status == Status::kCompileError);
  const Outcome none = world.run("import { echo } from 'app/tools'; export default echo");
  CHECK_THAT(none.error->message, Contains("cannot import") && Contains("app/tools"));
}

TEST_CASE("tools and modules cannot have the names of the assert module where that is asked for") {
  World world;
  const auto problem = [&](const AISandboxOptions& options) -> std::string {
    try {
      AISandbox sandbox(world.runtime, "", options, {.assert_module = true});
    } catch (const InvalidOption& invalid) {
      return invalid.what();
    }
    return "";
  };
  AISandboxOptions options = with({tool("ok", echo())});
  CHECK(problem(options).empty());
  for (const char* name : {"assert", "node:assert", "assert/strict", "node:assert/strict"}) {
    INFO(name);
    options.tools[0].specifier = name;
    CHECK_THAT(problem(options), Contains("tools[0].specifier: is one of the assert module's"));
    AISandboxOptions modules;
    modules.modules = {{name, "export default 1"}};
    CHECK_THAT(problem(modules), Contains("modules." + std::string(name) + ": is one of"));
  }
  options.tools[0].specifier = "assert";
  CHECK(world.run("import { ok } from 'assert'; export default () => ok({ n: 1 })", options)
            .value()
            .view() == json{{"n", 1}});
}

TEST_CASE("modules of the host may use tools, import.meta shows them to nobody") {
  World world;
  AISandboxOptions options = with({tool("echo", echo())});
  options.modules["wrapper"] =
      "import { echo } from 'app/tools';"
      "export const one = async () => (await echo({ a: 1 })).a;"
      "export const meta = Object.keys(import.meta);";
  CHECK(world
            .run("import { one, meta } from 'wrapper'; export default async () => [await one(), "
                 "meta, Object.keys(import.meta)]",
                 options)
            .value()
            .view() == json::parse("[1,[],[]]"));
}

TEST_CASE("arguments that a tool does not take are a TypeError, and its function sees none") {
  World world;
  std::atomic<int> handled{0};
  const auto options = with({tool(
      "search",
      [&](const ToolCall& call) {
        ++handled;
        call.reply(1);
      },
      R"({"type":"object","required":["query"],"additionalProperties":false,
          "properties":{"query":{"type":"string"},"limit":{"type":"integer"}}})")});
  const Outcome outcome = run(world, options, R"ts(
    const search: any = tools.search;
    return [await caught(() => search({ query: 5 })), await caught(() => search('tea')),
            await caught(() => search()), await caught(() => search({ query: 'x', limt: 1 })),
            await caught(() => search({ query: new Date(0) })), await search({ query: 'x', limit: undefined })];
  )ts");
  const auto error = [](const char* text) {
    return json::array({"TypeError", text, "[object Error]", json{{"$undefined", true}}});
  };
  CHECK(outcome.value().view() ==
        json::array({error("search: argument `input.query` must be a string, not a number"),
                     error("search: argument `input` must be an object, not a string"),
                     error("search: argument `input.query` is missing"),
                     error("search: argument `input.limt` is not expected: known are query, limit"),
                     error("search: argument `input.query` must be plain JSON, not a Date"), 1}));
  CHECK(handled == 1);
  CHECK(outcome.usage.operations == 6);
  CHECK(world.event_lines() == Lines{"tool error app/tools#search", "tool error app/tools#search",
                                     "tool error app/tools#search", "tool error app/tools#search",
                                     "tool error app/tools#search", "tool used app/tools#search",
                                     "execute used"});
  CHECK(world.events().front().reason == "arguments are not what the tool takes");
}

TEST_CASE("what cannot cross at all is a TypeError of the guest's side: no operation, no event") {
  World world;
  const Outcome outcome = run(world, with({tool("echo", echo())}), R"ts(
    const loop: any = {}; loop.self = loop;
    const echo: any = tools.echo;
    return [await caught(() => echo(loop)), await caught(() => echo({ f() {} }))]
      .map(([name, message]: any) => [name, message.startsWith('echo: ')]);
  )ts");
  CHECK(outcome.value().view() == json::parse(R"([["TypeError",true],["TypeError",true]])"));
  CHECK(world.event_lines() == Lines{"execute used"});
}

TEST_CASE("a tool's failure is a ToolError with its words alone") {
  World world;
  const auto options = with({
      tool("fails", [](const ToolCall& call) { call.fail("no such order"); }),
      tool("throws", answer_with([](const ToolCall&) -> json {
             throw std::runtime_error("the till is closed");
           })),
      tool("odd", [](const ToolCall&) { throw 5; }),
      tool("drops", [](const ToolCall&) {}),
  });
  const Outcome outcome = run(world, options, R"ts(
    const names: any[] = [];
    for (const f of [tools.fails, tools.throws, tools.odd, tools.drops]) names.push(await caught(() => f()));
    return names.map(([name, message, kind, capability]) => `${name}: ${message} ${kind} ${capability}`);
  )ts");
  CHECK(outcome.value().view() ==
        json::array({"ToolError: no such order [object Error] undefined",
                     "ToolError: the till is closed [object Error] undefined",
                     "ToolError: the tool failed [object Error] undefined",
                     "ToolError: Tool app/tools#drops gave no answer [object Error] undefined"}));
  CHECK_THAT(world.all_event_text(), !Contains("no such order") && !Contains("till"));
  for (const auto& event : world.events()) {
    if (event.capability == "tool") CHECK(event.outcome == SandboxAuditEvent::Outcome::kError);
  }
}

TEST_CASE("an uncaught ToolError is the guest's error, not a denial") {
  World world;
  const Outcome outcome =
      run(world, with({tool("fails", [](const ToolCall& call) { call.fail("no stock"); })}),
          "await tools.fails();");
  CHECK(outcome.status == Status::kError);
  CHECK(outcome.error->name == "ToolError");
  CHECK(outcome.error->message == "no stock");
  CHECK_THAT(outcome.error->stack, Contains("main.ts"));
}

TEST_CASE("a result that is not what the tool declares does not reach the guest") {
  World world;
  Tool bad = tool("bad", answer_with([](const ToolCall&) { return json{{"price", "x"}}; }));
  bad.result = R"({"type":"object","properties":{"price":{"type":"number"}}})";
  const Outcome outcome = run(
      world, with({bad, tool("binary", answer_with([](const ToolCall&) { return json("\xFF"); }))}),
      "return [(await caught(tools.bad as any) as any)[1], (await caught(tools.binary as any) as "
      "any)[1]];");
  CHECK(outcome.value().view() ==
        json::array({"Tool app/tools#bad failed: its result is not what the tool declares: "
                     "`result.price` must be a number, not a string",
                     "Tool app/tools#binary failed: its result holds text that is not UTF-8"}));
}

TEST_CASE("a handler may answer later from its own thread, and only the first answer counts") {
  World world;
  std::vector<std::jthread> threads;
  std::mutex mutex;
  const auto options = with({tool("later", [&](const ToolCall& call) {
    const std::lock_guard lock(mutex);
    threads.emplace_back([call] {
      call.reply(call.arguments().at("n"));
      call.reply("again");
      call.fail("again");
    });
  })});
  const Outcome outcome = run(world, options, R"ts(
    return await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => tools.later({ n })));
  )ts");
  CHECK(outcome.value().view() == json::parse("[1,2,3,4,5,6,7,8]"));
  CHECK(world.events().size() == 9);
}

TEST_CASE("the call knows who asks what") {
  World world;
  AISandboxOptions options = with(
      {tool("who", answer_with([](const ToolCall& call) {
              return json{{"id", call.sandbox()}, {"tool", call.specifier() + "#" + call.tool()}};
            }))});
  AISandbox sandbox(world.runtime, "import { who } from 'app/tools'; export default () => who()",
                    options);
  const json view = sandbox.call().value().view();
  CHECK(view == json{{"id", sandbox.id()}, {"tool", "app/tools#who"}});
}

TEST_CASE("guest code cannot forge, replace or intercept tools") {
  World world;
  const Outcome outcome = run(world, with({tool("echo", echo())}), R"ts(
    const found: unknown[] = [];
    (Object.prototype as any).toJSON = () => 'hooked';
    Array.prototype[Symbol.iterator] = function () { throw new Error('hooked'); } as any;
    try { (tools as any).echo = 1; found.push('replaced'); } catch { found.push('kept'); }
    const reply: any = await tools.echo({ a: { b: 1 } } as any);
    found.push(reply.a.b, typeof (tools.echo as any).constructor);
    found.push(await caught(() => (tools.echo as any).call(null, { c: 2 })));
    return { found };
  )ts");
  CHECK(outcome.value().view() == json::parse(R"({"found":["kept",1,"function",{"c":2}]})"));
}
