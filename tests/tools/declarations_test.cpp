// The text of declarations. That the TypeScript compiler takes it is tested in tests/typescript.

#include <catch2/catch.hpp>

#include <cordon/options.h>

using namespace cordon;
using Catch::Matchers::Contains;

TEST_CASE("tools become documented functions with the types of their schemas") {
  const std::string text = tool_declarations(
      {{.specifier = "app/documents",
        .description = "What the company knows.",
        .tools = {{.name = "search",
                   .description = "Finds documents.\nBest ones first.",
                   .parameters = R"({"type":"object","required":["query"],"properties":{
                     "query":{"type":"string","description":"Words to look for.","minLength":1},
                     "limit":{"type":"integer","maximum":50},
                     "order":{"enum":["new","old",null]}}})",
                   .result = R"({"type":"array","items":{"type":"object","required":["id"],
                     "properties":{"id":{"type":"string"}}}})",
                   .handler = {}},
                  {.name = "now"}}}});
  CHECK(text == R"(/** What the company knows. */
declare module 'app/documents' {
  /**
   * Finds documents.
   * Best ones first.
   */
  export function search(input: {
    /** Words to look for. (at least 1 characters) */
    query: string;
    /** (whole number, at most 50) */
    limit?: number;
    order?: "new" | "old" | null;
  }): Promise<Array<{
    id: string;
  }>>;

  export function now(input?: Record<string, never>): Promise<unknown>;
}
)");
}

TEST_CASE("a hostile description stays within its comment") {
  const std::string text =
      tool_declarations({{.specifier = "app",
                          .description = "*/ declare const owned: 1; /*",
                          .tools = {{.name = "f",
                                     .description = "/*/ a\r**/ \xE2\x80\xAE b\n*/",
                                     .parameters = R"({"type":"object","properties":
                     {"*/ x":{"const":"*/"},"y":{"description":"*/\n/ z"}}})"}}}});
  CHECK_THAT(text, Contains("/** *\\/ declare const owned: 1; /* */\ndeclare module 'app'"));
  CHECK_THAT(text, Contains("   * /*\\/ a **\\/   b\n   * *\\/\n   */\n"));
  CHECK_THAT(text, Contains("    \"*/ x\"?: \"*/\";\n"));
  CHECK_THAT(text, Contains("    /**\n     * *\\/\n     * / z\n     */\n    y?: unknown;\n"));
}

TEST_CASE("declarations refuse what a sandbox would refuse") {
  CHECK_THROWS_AS(tool_declarations({{.specifier = "a b", .tools = {{.name = "f"}}}}),
                  InvalidOption);
}
