// What is plain enough for the quick compiler, and what is not.

#include <catch2/catch.hpp>

#include <chrono>
#include <string>

#include "actors/compile/plain_source.h"

namespace cordon {
namespace {

bool is_plain(const std::string& source) {
  const auto why = why_not_plain(source);
  INFO((why ? *why : ""));
  return !why;
}

TEST_CASE("everyday TypeScript is plain") {
  const char* source = GENERATE(
      "", "x + 1", "export default (x: number) => x + 1;",
      "interface I<T> { a?: T; readonly b: string } type P<A> = A extends I<infer T> ? T : never;",
      "class C<T> extends B { #p = 1; static { C.k = 1 } constructor(private readonly q: T) { "
      "super() } }",
      "import { a, type B } from 'x'; export type { B }; export { a as default };",
      "const r = /[/]\\/(?:a|b)(?=c)(?!d)(?<n>e)/dgimsuy, s = `a${b / 2}c${`${d}`}`;",
      "const t = a / b / c, u = x[0] / 2, v = f() / 2, w = `a` / 2, y = 1 / 2, z = this / 2;",
      "if (a) b = '/'; else b = \"@\"; // @decorator /* \n/* enum namespace using @x */ f();",
      "o.enum = o.module = o?.using; ({ ...rest }); [...a]; 1..toFixed(); .5 / 2; 1e-5 / 2;",
      "const n = a! + b; const m = c as const satisfies D; let d!: number;",
      "return_ / 2; o.return / 2; o.if(a) / 2;", "async function* f() { yield 1; await g(); }",
      "a\r\nb\r\n", "'\\u0041\\x41\\n\\\r\nb'", "\"\xc3\xa4\xe2\x82\xac\"",
      "declare var require: any;", "#p in o");
  INFO(source);
  CHECK(is_plain(source));
}

TEST_CASE("what esbuild lowers, wraps or prints in its own way is not plain") {
  const char* source = GENERATE(
      "@d class C {}", "class C { @d m() {} }", "class C { m(@d p) {} }", "enum E { A }",
      "const enum E { A }", "namespace N {}", "module M {}", "declare global {}",
      "declare module 'x' {}", "declare class C {}", "declare enum E {}", "using a = b;",
      "await using a = b;", "class C { accessor a = 1 }", "with (o) {}", "module.exports = 1",
      "exports.a = 1", "import a = require('a');", "import type A = B.C;", "export import A = B.C;",
      "export = a;", "export as namespace A;", "import a from 'a' with { type: 'json' };",
      "import a from 'a' assert { type: 'json' };", "import defer * as a from 'a';",
      "import source a from 'a';", "/a/v", "/\\p{L}/u", "/\\P{L}/u", "/(?i:a)/", "/(?-i:a)/",
      "`${@d class {}}`", "x <!-- y", "x\n--> y", "#!/usr/bin/env cordon\n1",
      "//# sourceMappingURL=data:,", "/*# sourceURL=a.js */", "a\\u0062");
  INFO(source);
  CHECK_FALSE(is_plain(source));
}

TEST_CASE("what makes lines and columns that others count in another way is not plain") {
  const char* source = GENERATE("a\rb", "// a\rb", "/* \r */", "`\r\n`", "'\\\rb'", "'\u2028'",
                                "`\u2029`", "// \u2028", "\u2028", "'\U0001f600'", "/\U0001f600/",
                                "\u00a0a", "\ufeffa", "\u00e4 = 1");
  INFO(source);
  CHECK_FALSE(is_plain(source));
}

TEST_CASE("what cannot be read with certainty is not plain") {
  const char* source = GENERATE(
      "if (a) /b/.test(c)", "for (;;) /b/.exec(c)", "for await (x of y) /b/.exec(x)", "{} /b/g",
      "a++ / b", "a-- / b", "a! / b", "f<T> / b", "await / b", "yield /b/", "of / b", "break\n/b/",
      "continue\n/b/", "(", "]", "(]", "{)", "`", "`${", "`${}", "'", "'a\nb'", "\"", "/a", "/[a/",
      "x = /a\n/", "/*", "\\", "'\\ud800'", "'\\uD800'", "'\\u{1f600}'", "# p");
  INFO(source);
  CHECK_FALSE(is_plain(source));
  CHECK_FALSE(is_plain(std::string("'a\0b'", 5)));
  CHECK_FALSE(is_plain(std::string("a\0b", 3)));
}

TEST_CASE("what swc or esbuild get wrong, each in its way, is not plain") {
  const char* source =
      GENERATE("export default (function f() {})", "export default ((class C {}))",
               "export default (async function () {})", "export default (function () {}())",
               "export default <any>(function () {})", "import {} from 'a'",
               "{ function f() {} } f()", "if (a) { function f() {} }", "if (a) function f() {}",
               "try { g(); function f() {} } catch (e) {}", "try {} catch (e) { function f() {} }",
               "for (;;) { g()\nfunction f() {} }", "switch (a) { case 1: function f() {} }",
               "do { function f() {} } while (0)", "function g() { { function f() {} } }",
               "else_: { function f() {} }", "if (a) {} else { function f() {} }");
  INFO(source);
  CHECK_FALSE(is_plain(source));
}

TEST_CASE("what looks like it is plain") {
  const char* source = GENERATE(
      "export default (a: number) => a", "export default ((a) => a)", "export default { f() {} }",
      "export default function () {}", "import a, { b } from 'a'; b({})",
      "function g() { function f() {} }", "const g = () => { function f() {} }",
      "if (a) { b = function () {} }", "{ f(function () {}) }", "{ const f = async () => {} }",
      "class C { m() { function f() {} } static { function f() {} } }",
      "function g(): number { function f() {} return 1 }", "if (a) { return function () {} }",
      "const o = { f: function () {} }", "switch (a) { default: b = function () {} }");
  INFO(source);
  CHECK(is_plain(source));
}

TEST_CASE("a renamed function is seen") {
  CHECK(may_have_renamed("f(); { let f = 1 }", "f(); { let f1 = 1; }"));
  CHECK(may_have_renamed("f(); f1; { let f = 1 }", "f(); f1; { let f2 = 1; }"));
  CHECK(may_have_renamed("/* f1 */ f(); { let f = 1 }", "f(); { let f1 = 1; let g = f1; }"));
  CHECK(may_have_renamed("let $: f1; f1", "f2"));
  CHECK_FALSE(may_have_renamed("let x1: number = 1, x = x1;", "let x1 = 1, x = x1;"));
  CHECK_FALSE(may_have_renamed("new Uint8Array(2e5)", "new Uint8Array(2e5)"));
  CHECK_FALSE(may_have_renamed("", ""));
}

TEST_CASE("nesting is bounded") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  CHECK(is_plain(nested(128)));
  CHECK_FALSE(is_plain(nested(129)));
  CHECK_FALSE(is_plain(std::string(30'000, '[')));
}

TEST_CASE("reading takes linear time") {
  const char* piece = GENERATE("a/", "`${", "/*", "'a'", "import ", "x=/[", "\\", "((", "//URL\n");
  std::string source;
  while (source.size() < (std::size_t{1} << 20)) source += piece;
  const auto start = std::chrono::steady_clock::now();
  const auto why = why_not_plain(source);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  CHECK((!why || !why->empty()));
}

}  // namespace
}  // namespace cordon
