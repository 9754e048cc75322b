// Which tools a sandbox can be made with.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cordon/options.h>

#include "capabilities/authority.h"
#include "capabilities/tools/tool_set.h"

using namespace cordon;
using Catch::Matchers::Contains;

namespace {

Tool tool(std::string name, std::string parameters = R"({"type":"object"})") {
  return {.name = std::move(name),
          .description = {},
          .parameters = std::move(parameters),
          .result = {},
          .handler = [](const ToolCall&) {}};
}

AISandboxOptions with(std::vector<ToolModule> tools) {
  AISandboxOptions options;
  options.tools = std::move(tools);
  return options;
}

// "field: problem" of what validation throws; empty when it does not.
std::string problem(const AISandboxOptions& options) {
  try {
    Authority::validate(options);
    return "";
  } catch (const InvalidOption& invalid) {
    return invalid.what();
  }
}

}  // namespace

TEST_CASE("tools with valid names are found by specifier and name, and by nothing else") {
  const auto authority = Authority::validate(with(
      {{.specifier = "app/documents", .description = {}, .tools = {tool("search"), tool("$_9")}},
       {.specifier = "@scope/x.y:z", .description = {}, .tools = {tool("search")}}}));
  const ToolSet& tools = *authority.tools();
  REQUIRE(tools.find("app/documents", "search") != nullptr);
  CHECK(tools.find("app/documents", "$_9") != nullptr);
  CHECK(tools.find("@scope/x.y:z", "search") != nullptr);
  CHECK(tools.find("@scope/x.y:z", "$_9") == nullptr);
  CHECK(tools.find("app/documents", "") == nullptr);
  CHECK(tools.find("", "search") == nullptr);
  CHECK(Authority::validate({}).tools()->modules().empty());
}

TEST_CASE("a name that a module cannot export as a function is refused") {
  for (const char* name : {"", "9a", "a-b", "a.b", "a b", "caf\xC3\xA9", "default", "await", "then",
                           "eval", "__proto__", "a}; globalThis.x = 1; export const {b"}) {
    INFO(name);
    CHECK_THAT(problem(with({{"app", {}, {tool(name)}}})), Contains("tools[0].tools[0].name: "));
  }
  CHECK_THAT(problem(with({{"app", {}, {tool(std::string(65, 'a'))}}})), Contains("at most 64"));
  CHECK(problem(with({{"app", {}, {tool(std::string(64, 'a'))}}})).empty());
  CHECK_THAT(problem(with({{"app", {}, {tool("a"), tool("a")}}})),
             Contains("tools[0].tools[1].name: is the name of another tool"));
}

TEST_CASE("a specifier is plain, not reserved and nobody else's") {
  for (const char* specifier : {"", "./app", "/app", "a'b", "a*b", "a b", "a#b", "fino:ai/x"}) {
    INFO(specifier);
    CHECK_THAT(problem(with({{specifier, {}, {tool("a")}}})), Contains("tools[0].specifier: "));
  }
  CHECK_THAT(problem(with({{"app", {}, {tool("a")}}, {"app", {}, {tool("b")}}})),
             Contains("tools[1].specifier: is that of another module"));
  auto options = with({{"app", {}, {tool("a")}}});
  options.modules["app"] = "export {}";
  CHECK_THAT(problem(options), Contains("tools[0].specifier: is one of `modules`, too"));
}

TEST_CASE("a tool needs a handler and a schema of an object") {
  Tool silent = tool("a");
  silent.handler = nullptr;
  CHECK_THAT(problem(with({{"app", {}, {silent}}})), Contains("tools[0].tools[0].handler: "));
  CHECK_THAT(problem(with({{"app", {}, {}}})), Contains("tools[0].tools: must not be empty"));
  CHECK_THAT(problem(with({{"app", {}, {tool("a", "{}")}}})),
             Contains("tools[0].tools[0].parameters: must have \"type\": \"object\""));
  CHECK_THAT(problem(with({{"app", {}, {tool("a", "{")}}})),
             Contains("tools[0].tools[0].parameters: must be JSON text"));
  CHECK_THAT(problem(with({{"app", {}, {tool("a", R"({"type":"object","properties":
                              {"q":{"type":"string","pattern":"(a+)+$"}}})")}}})),
             Contains("tools[0].tools[0].parameters.properties.q.pattern: is a keyword that tools "
                      "do not support"));
  Tool wrong_result = tool("a");
  wrong_result.result = R"({"$ref":"#"})";
  CHECK_THAT(problem(with({{"app", {}, {wrong_result}}})),
             Contains("tools[0].tools[0].result.$ref: "));
}

TEST_CASE("the limit of tools is a limit like the others") {
  AISandboxOptions options;
  options.resources.max_tool_bytes = 0;
  CHECK_THAT(problem(options), Contains("resources.maxToolBytes: must be a whole number"));
}
