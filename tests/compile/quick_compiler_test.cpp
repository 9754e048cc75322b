// The quick compiler and esbuild together: what comes out is what esbuild alone would have said.

#include <catch2/catch.hpp>

#include <signal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "actors/compile/compiler_service.h"
#include "actors/compile/plain_source.h"
#include "messages/transpiler_protocol.h"
#include "tests/compile/direct_launcher.h"
#include "tests/compile/running_client.h"
#include "tests/compile/service_actor.h"

namespace cordon {
namespace {

using test::check_program;
using test::DirectLauncher;
using test::DirectLaunchers;
using test::Outcome;
using test::program;
using test::RunningClient;
using test::say;
using test::u32;

// The quick service by itself, on the test's thread.
class QuickService {
 public:
  QuickService() {
    auto launched =
        launch_service(launcher_.launcher(), quick_greeting(), std::chrono::seconds(20));
    REQUIRE(launched.has_value());
    service_ =
        *CompilerService::open(io_, kQuickProtocol, *std::move(launched), std::chrono::seconds(60),
                               {.on_answer =
                                    [this](CompileJob, esbuild::Answer answer) {
                                      answer_ = std::move(answer);
                                      io_.stop();
                                    },
                                .on_broken =
                                    [this](const ServiceRemains&) {
                                      broken_ = true;
                                      io_.stop();
                                    }});
  }

  // Nothing when it has declined.
  std::optional<esbuild::Transformed> transpile(const std::string& source) {
    answer_.reset();
    service_->send({.request = {source}, .on_compiled = {}});
    io_.restart();
    io_.run_for(std::chrono::seconds(60));
    REQUIRE_FALSE(broken_);
    REQUIRE(answer_.has_value());
    auto* const done = std::get_if<esbuild::Transformed>(&*answer_);
    return done != nullptr ? std::optional(std::move(*done)) : std::nullopt;
  }

 private:
  DirectLauncher launcher_{std::uint64_t{192} << 20, CORDON_TRANSPILER};
  boost::asio::io_context io_;
  std::shared_ptr<CompilerService> service_;
  std::optional<esbuild::Answer> answer_;
  bool broken_ = false;
};

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Everything under tests/ that is a program.
std::vector<std::string> corpus() {
  const std::filesystem::path tests = CORDON_TESTS_DIRECTORY;
  std::vector<std::string> sources;
  for (const char* lines : {"workloads/humaneval-ts.jsonl", "cases/cases.jsonl"}) {
    std::ifstream in(tests / lines);
    for (std::string line; std::getline(in, line);) {
      const auto entry = nlohmann::json::parse(line);
      if (entry.contains("source") && entry["source"].is_string()) {
        sources.push_back(entry["source"]);
      }
    }
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tests / "typescript")) {
    if (entry.path().extension() == ".ts") sources.push_back(file_text(entry.path()));
  }
  return sources;
}

// Small programs with what is easily got wrong.
const auto kEdges = std::to_array<const char*>({
    "import { A } from 'a'; let a: A;",
    "import { A, b } from 'a'; b<A>();",
    "import type { A } from 'a'; import { type B, c } from 'b'; c();",
    "import A from 'a'; export type { A };",
    "import { A } from 'a'; export { A };",
    "import * as n from 'a'; let x: n.T;",
    "import 'a';",
    "import a, { type B } from 'a'; a();",
    "interface I {} export { I };",
    "type T = 1; export { T }; export const u = 1;",
    "import { x } from 'a'; const y: typeof x = 1;",
    "import { x } from 'a'; type T = typeof x; x();",
    "export type * from 'a'; export * as b from 'b'; export * from 'c';",
    "export default interface I {}",
    "export default abstract class A { abstract m(): void; n() {} }",
    "export default class {} ; (class { static a = 1 });",
    "export default function () {}",
    "export default async () => await 1;",
    "function f(): void; function f(a?: number): void {} f();",
    "class C { a; b: number; c!: string; declare d: number; [k: string]: any; e? = 1; static f?: 1 "
    "}",
    "class C { m?(): void; n(this: C) {} get a(): number { return 1 } set a(v: number) {} }",
    "class C { #a = 1; static #b() {} static { this.#b() } has(o: object) { return #a in o } }",
    "class C<T> extends (B as any)<T> implements I, J { override m(): void { super.m() } }",
    "abstract class A { protected constructor(readonly a: number) {} }",
    "class C extends B { x = 1; constructor(private y: number, public z = 2) { super(); f(); } }",
    "const f = <T,>(a: T, ...b: T[]): a is T => <any>a!;",
    "const a = b as unknown as string, c = d satisfies E, e = <F>g, h = i!.j!()![0]!;",
    "(a as any) = 1; (b!) = 2; [(c as any)] = d; (<any>e)++; delete (f as any).g;",
    "for (const a of <any[]>b) {} for (let c: number = 0; ; ) break;",
    "label: for (;;) { continue label; }",
    "let a = async <T>(b: T): Promise<T> => b; let c = async (d) => d; let e = async f => f;",
    "let a = (b: number, c?: string): void => {}; let d = (e) : e is string => true;",
    "let a: (b: number) => void = (c) => {}; let d: new () => E; let f: abstract new () => G;",
    "f<number>(1); new F<number>(); new G<H>; f<g>(h); a < b; a<b>`c`; const i = j<k>;",
    "a ? (b) : c => d; a ? (b, c) : d; a ? (b): c => d : e;",
    "let x = a\n(b as any)\n['c']\nlet y = 1\n;[1].map(z => z)",
    "type A = 1\nlet b = 2\ninterface C {}\n(d)\n`e`",
    "let type = 1; type = 2; let declare = 3, as = 4, of = 5, async = 6; async(); type\nFoo = 1;",
    "var abstract, is, infer, keyof, readonly, unique, asserts; abstract\nclass A {}",
    "if (a) type: b; function g(this: any, a) {} ",
    "let { a = 1, ...b }: { a?: number } = c; let [d, , e = 2, ...f]: any = g;",
    "try {} catch {} try {} catch (e: unknown) {} finally {}",
    "a?.b?.[c]?.(d); a ?? b; a ?\?= b; a ||= b; a &&= b; a ** b; (-a) ** b; -(a ** b);",
    "`a${b}c${`d${e}`}`; String.raw`\\u0041${1}\\n`; tag`x`;",
    "1_000; 0xff; 0b1; 0o7; 1n; .5; 5.; 1e10; 1e-7; 123456789012345680000; 0.1 + 0.2; -0;",
    "'\\0\\x01\\u0041\\n\\\nq'; \"'\"; '\"'; '</script>'; `</script>`;",
    "\"use strict\"; function f() { 'use strict'; 'other'; }",
    "new.target; function f() { return new.target } import.meta.url; await import('x');",
    "async function* f() { yield* g(); for await (const x of y) {} await using_; }",
    "var { a: b } = c; ({ a: b } = c); [a, b] = [b, a]; ({ 'a': 1, [b]: 2, c, d() {}, get e() { "
    "return 1 }, async *f() {} });",
    "switch (a) { case 1: { break } default: f() }",
    "do a++; while (b) c",
    "if (a) ; else b",
    "typeof a, !b, ~c, +d, - -e, + +f",
    "(function () {})(); (() => {})(); (class {}).a; ({}).b; (async () => {})();",
    "let a = function () {}, b = () => {}, c = class {}, d = { e: () => {}, f() {} };",
    "a = { __proto__: null, 'b-c': 1, 2: 3 }; a['b']; a.b; delete a.b;",
    "var let_ = 1; export { let_ as 'a b' }; export let e = 1, g = 2; export const { h } = i;",
    "enum_; debugger; throw new Error('x', { cause: 1 }); ",
    "declare const a: number; declare function b(): void; declare let c, d; a; b(); c;",
    "const x = { f<T>(this: T) {}, async g<T>() {}, get h(): number { return 1 } };",
    "let u: unique symbol; let t: `a${string}`; let i: import('x').Y<Z>; let o: typeof "
    "import('x');",
    "function assertIsString(v: any): asserts v is string {} function g(v): asserts v {}",
    "let tuple: [a: number, b?: string, ...c: boolean[]] = null as any;",
    "type M<T> = { readonly [K in keyof T]-?: T[K] }; type G = { -readonly [K in 'a' as `b${K}`]: "
    "1 };",
    "let f = (a, b) => ({ a, b }) as const; let g = () => { return <any>{} };",
    "x = a /* c */ + /* d */ b; // e\n/** f */ function g() {} /* h */",
    "export const a = 1; export { a as b }; export { c } from 'd'; export { default } from 'e';",
});

bool has_parameter_property(const std::string& source) {
  return source.find("constructor(") != std::string::npos;
}

// Parentheses, white space and the places of separators are each printer's own.
std::string without_taste(std::string code) {
  std::erase_if(code, [](char c) {
    return c == '(' || c == ')' || c == ',' || c == ';' ||
           std::isspace(static_cast<unsigned char>(c)) != 0;
  });
  return code;
}

std::string in_any_order(std::string code) {
  std::sort(code.begin(), code.end());
  return code;
}

TEST_CASE("plain sources mean to the quick compiler what they mean to esbuild") {
  DirectLauncher direct;
  RunningClient esbuild(direct.launcher());
  QuickService quick;
  std::vector<std::string> sources = corpus();
  const std::size_t from_files = sources.size();
  CHECK(from_files > 300);
  sources.insert(sources.end(), kEdges.begin(), kEdges.end());
  std::size_t compared = 0;
  std::size_t edges = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string& source = sources[i];
    if (source.size() > transpiler_protocol::kMaxSourceBytes || why_not_plain(source)) continue;
    const auto transpiled = quick.transpile(source);
    if (!transpiled || may_have_renamed(source, transpiled->code)) continue;
    const Outcome expected = esbuild.compile(source);
    INFO(source);
    // The engine sees the mistakes that only esbuild sees here.
    if (!expected) continue;
    // esbuild prints both, and names what has names.
    const Outcome again = esbuild.compile(transpiled->code);
    REQUIRE(again.has_value());
    std::string left = without_taste(again->code);
    std::string right = without_taste(expected->code);
    if (left != right && has_parameter_property(source)) {
      left = in_any_order(left);
      right = in_any_order(right);
    }
    CHECK(left == right);
    CHECK((transpiled->code.empty() || SourceMap::parse(transpiled->map) != nullptr));
    ++compared;
    edges += i >= from_files ? 1 : 0;
  }
  CHECK(compared > 300);
  CHECK(edges > kEdges.size() / 2);
}

TEST_CASE("what one source has done to the quick compiler does not reach the next") {
  const std::vector<std::string> sources{"let a: number = 1;",
                                         std::string(20'000, '('),
                                         "class C { constructor(private x: number) {} }",
                                         "let b: = 1",
                                         "import { T } from 'x'; export default (t: T) => `${t}`;",
                                         file_text(std::filesystem::path(CORDON_TESTS_DIRECTORY) /
                                                   "typescript/golden/stack_callbacks/program.ts")};
  std::vector<std::optional<esbuild::Transformed>> alone;
  for (const std::string& source : sources) alone.push_back(QuickService().transpile(source));
  CHECK(alone[0].has_value());
  CHECK_FALSE(alone[1].has_value());
  CHECK(alone[5].has_value());
  QuickService shared;
  for (std::size_t round = 0; round < 4 * sources.size(); ++round) {
    // Every source comes after every other one.
    const std::size_t i = (round * (round / sources.size() + 1)) % sources.size();
    INFO(sources[i].substr(0, 100));
    const auto found = shared.transpile(sources[i]);
    REQUIRE(found.has_value() == alone[i].has_value());
    if (!found) continue;
    CHECK(found->code == alone[i]->code);
    CHECK(found->map == alone[i]->map);
  }
}

TEST_CASE("plain sources go to the quick compiler, others and by request to esbuild") {
  DirectLaunchers direct;
  RunningClient client(direct.launchers());
  const auto is_quick = [&](CompileRequest request) {
    const Outcome outcome = test::get(client.request(std::move(request)));
    REQUIRE(outcome.has_value());
    REQUIRE(outcome->map != nullptr);
    return outcome->is_quick;
  };
  CHECK(is_quick({"const a: number = 1; export { a };"}));
  // From memory.
  CHECK(is_quick({"const a: number = 1; export { a };"}));
  CHECK_FALSE(is_quick({.source = "const a: number = 1; export { a };", .by_esbuild = true}));
  CHECK_FALSE(is_quick({.source = "const b: number = 1;", .one_line_tokens = true}));
  CHECK_FALSE(is_quick({"enum E { A }"}));
  CHECK_FALSE(is_quick({"const c = 1;" + std::string(40'000, ' ')}));
}

TEST_CASE("positions lead back to the source") {
  DirectLaunchers direct;
  RunningClient client(direct.launchers());
  const std::string source = "interface A {\n  b: string;\n}\n\n'\u20ac'; fail(<any>1);\n";
  const Outcome outcome = client.compile(source);
  REQUIRE(outcome.has_value());
  REQUIRE(outcome->is_quick);
  const std::size_t at = outcome->code.find("fail");
  REQUIRE(at != std::string::npos);
  const auto line = static_cast<std::uint32_t>(
      1 + std::count(outcome->code.begin(), outcome->code.begin() + static_cast<long>(at), '\n'));
  const std::size_t start = outcome->code.rfind('\n', at) + 1;
  const auto found = outcome->map->original({line, static_cast<std::uint32_t>(at - start + 1)});
  REQUIRE(found.has_value());
  CHECK(found->line == 5);
  CHECK(found->column == 6);
}

TEST_CASE("errors are esbuild's") {
  DirectLaunchers direct;
  RunningClient both(direct.launchers());
  RunningClient alone(direct.esbuild.launcher());
  const std::string source = GENERATE("let a: = 1", "let x = 1;\nlet x = 2;", "function f( {}",
                                      "await = 1", "return 1", "const a;", "class A { a(;) }");
  INFO(source);
  const Outcome expected = alone.compile(source);
  const Outcome found = both.compile(source);
  // The quick compiler may overlook one that the engine finds.
  if (found.has_value() && found->is_quick) {
    const Outcome again = test::get(both.request({.source = source, .by_esbuild = true}));
    REQUIRE(again.has_value() == expected.has_value());
    if (!again) CHECK(again.error().message == expected.error().message);
    return;
  }
  REQUIRE(found.has_value() == expected.has_value());
  if (found) return;
  CHECK(found.error().message == expected.error().message);
  CHECK(found.error().line == expected.error().line);
  CHECK(found.error().column == expected.error().column);
}

TEST_CASE("a quick compiler that is killed loses nobody's request and is replaced") {
  DirectLaunchers direct;
  RunningClient client(direct.launchers());
  check_program(client.compile(program(0)), 0);
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 1; i < 60; ++i) {
    outcomes.push_back(client.start(program(i)));
    if (i == 20) ::kill(direct.quick.started().back(), SIGKILL);
  }
  for (int i = 1; i < 60; ++i) {
    check_program(test::get(std::move(outcomes[static_cast<std::size_t>(i - 1)])), i);
  }
  // The new one is there before long.
  for (int i = 60; direct.quick.started().size() < 2 && i < 10'000; ++i) {
    check_program(client.compile(program(i)), i);
  }
  CHECK(direct.quick.started().size() >= 2);
  CHECK(direct.esbuild.started().size() == 1);
}

struct Lie {
  const char* name;
  std::function<void(int)> part;  // after the greeting and the first bytes of a request
};

TEST_CASE("a quick compiler that lies hurts nobody") {
  const auto lie = GENERATE(values<Lie>({
      {"closes", [](int) {}},
      {"is silent", [](int fd) { test::stay(fd); }},
      {"garbage", [](int fd) { say(fd, std::string(100'000, '\xaa')); }},
      {"an id that nobody has", [](int fd) { say(fd, u32(12) + u32(99) + u32(1) + u32(0)); }},
      {"a huge length", [](int fd) { say(fd, u32(0xffffffff) + u32(0)); }},
      {"a length that is too short", [](int fd) { say(fd, u32(2) + u32(0)); }},
      {"code beyond its end", [](int fd) { say(fd, u32(12) + u32(0) + u32(1) + u32(500)); }},
      {"an unknown status", [](int fd) { say(fd, u32(12) + u32(0) + u32(5) + u32(0)); }},
      {"a stall in the middle",
       [](int fd) {
         say(fd, u32(120) + u32(0) + u32(1));
         test::stay(fd);
       }},
      {"an answer without end",
       [](int fd) {
         say(fd, u32(30'000'000) + u32(0) + u32(1) + u32(0));
         while (say(fd, std::string(65536, ' '))) {
         }
       }},
  }));
  INFO(lie.name);
  DirectLauncher direct;
  RunningClient client(ServiceLaunchers{direct.launcher(), test::actor([&](int fd) {
                                          say(fd, quick_greeting());
                                          if (test::hear(fd)) lie.part(fd);
                                        })});
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 8; ++i) outcomes.push_back(client.start(program(i)));
  for (int i = 0; i < 8; ++i) {
    check_program(test::get(std::move(outcomes[static_cast<std::size_t>(i)])), i);
  }
  CHECK(direct.started().size() == 1);
}

TEST_CASE("a quick compiler that never starts again is done without") {
  DirectLaunchers direct;
  std::atomic<bool> gone = false;
  ServiceLaunchers launchers = direct.launchers();
  launchers.quick = [&, real = launchers.quick]() -> Result<LaunchedService, StartFailure> {
    if (gone) return StartFailure{"test", "gone", ""};
    return real();
  };
  RunningClient client(std::move(launchers));
  check_program(client.compile(program(0)), 0);
  gone = true;
  ::kill(direct.quick.started().back(), SIGKILL);
  for (int i = 1; i < 20; ++i) check_program(client.compile(program(i)), i);
}

TEST_CASE("a program that is not the quick compiler is refused at the start") {
  const auto part = GENERATE(values<std::function<void(int)>>({
      [](int) {},
      [](int fd) { test::stay(fd); },
      [](int fd) { say(fd, "cordon-transpiler of-another-time swc 0.0.0\n"); },
      [](int fd) { say(fd, std::string(1000, 'x')); },
  }));
  DirectLauncher direct;
  boost::asio::io_context io;
  CompilerOptions options;
  options.deadline = std::chrono::milliseconds(500);
  const auto started = CompilerClient::start(io, options, {direct.launcher(), test::actor(part)});
  REQUIRE_FALSE(started.has_value());
  CHECK(started.error().mechanism == "TypeScript compiler");
}

}  // namespace
}  // namespace cordon
