// Everything that TypeScript adds to the language, by the real compiler.

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "tests/compile/direct_launcher.h"
#include "tests/compile/running_client.h"

namespace cordon {
namespace {

struct Construct {
  std::string source;
  std::vector<std::string> present;  // in the code
  std::vector<std::string> absent;
  bool experimental_decorators = false;
};

const std::vector<Construct>& constructs() {
  static const std::vector<Construct> all{
      {"export default (x: number): string => `${x!}` satisfies string;",
       {"`${x}`", "\"default\""},
       {"number", "satisfies"}},
      {"enum E { A, B = 'x' }; const enum F { Q = 5 }; f(E.A, F.Q)", {"5 /* Q */"}, {"enum"}},
      {"namespace N { export namespace M { export const x = 1 } }; f(N.M.x)", {"N2.M"}, {}},
      {"class P { constructor(private x: number, readonly y = 2) {} }",
       {"this.x = x", "this.y = y"},
       {"private", "readonly"}},
      {"abstract class Q { abstract m(): void; declare d: number; y!: string; override z? = 1 }",
       {"y;", "z = 1"},
       {"abstract", "declare", "override"}},
      {"class A { accessor z = 3; static { f() } #p = 1 }",
       {"get z()", "static {", "#p"},
       {"accessor"}},
      {"@d class B { @e m() {} }", {"__decorate", "[d]", "[e]"}, {"@d"}},
      {"@d class B { @e m() {} constructor(@p x) {} }",
       {"__decorateClass", "__decorateParam"},
       {"@d"},
       true},
      {"{ using x = f(); } async function g() { await using y = f(); }",
       {"Symbol", "dispose", "asyncDispose"},
       {"using x", "using y"}},
      {"import type { T } from 't'; import { U, type V, w } from 'u'; let u: U = w;",
       {"import { w } from \"u\""},
       {"'t'", "\"t\""}},
      {"import 'only-for-effects'; export * from 'more'; export type { T } from 'types';",
       {"import \"only-for-effects\"", "from \"more\""},
       {"types"}},
      {"import j from './x.json' with { type: 'json' }; f(j)", {"from \"./x.json\""}, {}},
      {"const m = await import('x'); f(m)", {"await import(\"x\")"}, {}},
      {"import x = require('y'); x()", {"require(\"y\")"}, {}},
      {"class A {} ; export = A", {"export default"}, {"export ="}},
      {"let a = <any>b; let f = <T,>(x: T) => x; function o(a: string): void; function o(a: any) "
       "{}",
       {},
       {"any", "<T"}},
      {"declare const d: number; declare module 'x' {} ; interface I { x: 1 } type T<A> = A "
       "extends 1 ? 2 : 3",
       {},
       {"declare", "interface", "type"}},
      {"\xEF\xBB\xBF"
       "const \\u0061b: number = 1; f(ab, '\\uD800', `\\uFEFF \\u{1F600}😀`);\r\n",
       {"const ab = 1", "\\uD800", "`\\uFEFF 😀😀`"},
       {"\xEF\xBB\xBF"}},
      {"#!/usr/bin/env x\r\nconst a: number = 1;\r\n", {"#!/usr/bin/env x\n"}, {"number"}},
      {"\xEF\xBB\xBF#!/usr/bin/env x\nlet a: number", {"#!/usr/bin/env x\n"}, {"number"}},
      {"a?.b; a ?\?= 1n ** 2n; /(?<y>a)/dsu; label: for (;;) break label; 1_000",
       {"a?.b", "?\?=", "1n ** 2n", "/(?<y>a)/dsu"},
       {}},
      {"/* @license x */ //! y\nf(/* sure */ 1)", {"f("}, {"license", "y"}},
      {"function f() { class A {} ; return A } class A {}", {"__name(this, \"A\")"}, {}},
      {"", {}, {}},
      {"type OnlyTypes = 1", {}, {"type"}},
  };
  return all;
}

TEST_CASE("each construct of TypeScript becomes JavaScript of the engine's time") {
  test::DirectLauncher direct;
  test::RunningClient client(direct.launcher());
  for (const Construct& construct : constructs()) {
    INFO(construct.source);
    const test::Outcome outcome =
        client.compile(construct.source, construct.experimental_decorators);
    const std::string code = test::code_of(outcome);
    INFO(code);
    CHECK((outcome->map != nullptr) == !code.empty());
    for (const std::string& text : construct.present) {
      INFO(text);
      CHECK(code.find(text) != std::string::npos);
    }
    for (const std::string& text : construct.absent) {
      INFO(text);
      CHECK(code.find(text) == std::string::npos);
    }
  }
}

struct Mistake {
  std::string source;
  std::uint32_t line, column;
  std::string message;  // part of it
};

TEST_CASE("what is not TypeScript fails where it is wrong") {
  const std::vector<Mistake> mistakes{
      {"let x: = 1", 1, 8, "Unexpected \"=\""},
      {"let x = 1;\n\nlet y = \"é😀\" + ;", 3, 17, "Unexpected \";\""},
      {"\xEF\xBB\xBFlet x: = 1", 1, 8, "Unexpected \"=\""},
      {"let x = (", 1, 10, "end of file"},
      {"class A {\n\n", 3, 1, "end of file"},
      {"let x = `abc", 1, 13, "Unterminated"},
      {"/* abc", 1, 7, "terminate"},
      {"const a = 1; const a = 2", 1, 20, "already been declared"},
      {std::string("a\0b", 3), 1, 2, ""},
      {"with (a) {}", 1, 1, "strict mode"},
      {"delete a; delete b", 1, 8, "(and 1 more)"},
      {"if (x) {", 1, 9, ""},
      {"\xff", 1, 1, ""},
      {"let \xed\xa0\x80 = 1", 1, 5, ""},
  };
  test::DirectLauncher direct;
  test::RunningClient client(direct.launcher());
  for (const Mistake& mistake : mistakes) {
    INFO(mistake.source);
    const test::Outcome outcome = client.compile(mistake.source);
    REQUIRE_FALSE(outcome.has_value());
    const CompileFailure& failure = outcome.error();
    INFO(failure.message);
    CHECK(failure.kind == CompileFailure::Kind::kSyntax);
    CHECK(failure.line == mistake.line);
    CHECK(failure.column == mistake.column);
    CHECK(failure.message.find(mistake.message) != std::string::npos);
  }
}

}  // namespace
}  // namespace cordon
