#include "actors/compile/tests_body.h"

#include <catch2/catch.hpp>
#include <string>

using cordon::tests_body;

namespace {

std::string body(const std::string& code) {
  const auto made = tests_body(code);
  REQUIRE(made.has_value());
  return *made;
}

}  // namespace

TEST_CASE("import declarations become awaited imports, line by line") {
  CHECK(body("import \"a\";\n") == "await import(\"a\");\n");
  CHECK(body("import a from \"m\";\n") == "const { default: a } = await import(\"m\");\n");
  CHECK(body("import * as a from \"m\";\n") == "const a = await import(\"m\");\n");
  CHECK(body("import { a, b as c } from \"m\";\n") == "const { a, b: c } = await import(\"m\");\n");
  CHECK(body("import d, { a } from \"m\";\n") ==
        "const { default: d, a } = await import(\"m\");\n");
  CHECK(body("import d, * as a from \"m\";\n") ==
        "const a = await import(\"m\"), { default: d } = a;\n");
  CHECK(body("import {} from \"m\";\n") == "const {  } = await import(\"m\");\n");
}

TEST_CASE("a list of names over several lines keeps their number") {
  const std::string made = body("import {\n  a,\n  b as c\n} from \"m\";\nx();\n");
  CHECK(made == "const { a, b: c } = await import(\"m\");\n\n\n\nx();\n");
}

TEST_CASE("everything else stays as it is") {
  const std::string code =
      "const a = import(\"m\");\n  import \"indented\";\nimportant();\nimport.meta;\n";
  CHECK(body(code) == code);
  CHECK(body("").empty());
  CHECK(body("x()") == "x()\n");
}

TEST_CASE("our own empty export is dropped, others are refused") {
  CHECK(body("x();\nexport {};\n") == "x();\n\n");
  CHECK_FALSE(tests_body("export {\n  x\n};\n").has_value());
  CHECK_FALSE(tests_body("export * from \"m\";\n").has_value());
}

TEST_CASE("an import without a counterpart is refused") {
  CHECK_FALSE(tests_body("import { \"a b\" as c } from \"m\";\n").has_value());
  CHECK_FALSE(tests_body("import j from \"m\" with { type: \"json\" };\n").has_value());
}
