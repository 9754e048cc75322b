// Tools that an actor answers.

#include <catch2/catch.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cordon/tool_actor.h>

#include "tests/system/world.h"

using namespace cordon;
using namespace std::chrono_literals;
using nlohmann::json;
using test::World;

namespace {

Tool tool(std::string name, ToolHandler handler) {
  return {.name = std::move(name),
          .description = {},
          .parameters = R"({"type":"object"})",
          .result = {},
          .handler = std::move(handler)};
}

ToolActor::behavior_type doubler(ToolActor::pointer self) {
  return {[self](const std::string& name, const std::string& text) -> caf::result<std::string> {
    if (name == "fail") return caf::make_error(caf::sec::runtime_error, "a detail of ours");
    if (name == "babble") return std::string("{");
    if (name == "never") return self->make_response_promise<std::string>();
    return json(json::parse(text)["n"].get<int>() * 2).dump();
  }};
}

}  // namespace

TEST_CASE("an actor answers tools, its errors and silence are ToolErrors without details") {
  caf::actor_system_config config;
  caf::actor_system system(config);
  {
    const ToolActor actor = system.spawn(doubler);
    World world;
    AISandboxOptions options;
    options.tools = {{.specifier = "app", .description = {}, .tools = {}}};
    for (const char* name : {"twice", "fail", "babble"})
      options.tools[0].tools.push_back(tool(name, answer_from(actor, 30s)));
    options.tools[0].tools.push_back(tool("never", answer_from(actor, 50ms)));
    const Outcome outcome = world.run(R"ts(
      import * as app from 'app';
      export default async () => {
        const out: unknown[] = [await app.twice({ n: 21 })];
        for (const f of [app.fail, app.babble, app.never]) try { await f(); } catch (e: any) { out.push(e.name, e.message); }
        return out;
      }
    )ts",
                                      options);
    CHECK(outcome.value().view() == json::array({42, "ToolError", "the tool failed", "ToolError",
                                                 "the tool's answer is not JSON", "ToolError",
                                                 "the tool did not answer in time"}));
  }
}

TEST_CASE("a call that ends does not wait for the actor, and leaves nothing behind") {
  caf::actor_system_config config;
  caf::actor_system system(config);
  {
    const ToolActor actor = system.spawn(doubler);
    World world;
    AISandboxOptions options;
    options.resources.wall_clock_ms = 300;
    options.tools = {
        {.specifier = "app", .description = {}, .tools = {tool("never", answer_from(actor, 1h))}}};
    CHECK(world.run("import { never } from 'app'; export default () => never();", options).status ==
          Status::kTimeout);
  }
  system.await_all_actors_done();  // the helper and the actor that nobody holds any more
}
