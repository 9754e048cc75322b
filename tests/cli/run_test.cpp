// `cordon run` end to end: the real executable, engine and compiler.

#include <signal.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/support/scene.h"

using cordon::test::Command;
using cordon::test::contains;
using cordon::test::Finished;
using cordon::test::Invocation;
using cordon::test::run_cordon;
using cordon::test::Scene;
using nlohmann::json;

TEST_CASE("The README's example prints its result") {
  REQUIRE_SANDBOX();
  const std::filesystem::path root = CORDON_SOURCE_DIR;
  const Finished run = run_cordon(Invocation{
      .arguments = {"run", "examples/analyse.ts", "--allow-read=examples/data",
                    "--allow-env=MODE=analysis", "--", root / "examples/data/prompt.txt"},
      .working_directory = root});
  CHECK(run.out == R"({"mode":"analysis","lines":3,"words":26,"longestWord":"Summarise"})"
                   "\n");
  CHECK(run.err == "analysing 149 characters in mode analysis\n");
  CHECK(run.code == 0);
}

TEST_CASE("A program comes from standard input as well") {
  REQUIRE_SANDBOX();
  const std::string source =
      "export default (...all: string[]) => { if (all.length > 2) throw new Error('many');\n"
      "return all; };\n";
  const auto run = [&](std::vector<std::string> arguments, bool terminal) {
    return run_cordon(
        Invocation{.arguments = std::move(arguments), .input = source, .terminal = terminal});
  };
  const Finished piped = run({"run", "-", "--timeout=60s", "--", "a", "-"}, false);
  CHECK(piped.out == "[\"a\",\"-\"]\n");
  CHECK(piped.err.empty());
  CHECK(piped.code == 0);
  CHECK(run({"run", "--timeout=60s", "-", "--", "a"}, true).out == "[\"a\"]\n");
  const Finished thrown = run({"run", "-", "--", "a", "b", "c"}, false);
  CHECK(thrown.code == 1);
  CHECK(contains(thrown.err, "stdin.ts:1:"));
}

TEST_CASE("Arguments and results cross as JSON") {
  REQUIRE_SANDBOX();
  const Scene scene("export default (...all: unknown[]) => all;");
  const Finished run = scene.run({}, {"1", "[true,null]", R"({"a":"b"})", "plain text", R"("7")"});
  CHECK(run.out == R"([1,[true,null],{"a":"b"},"plain text","7"])"
                   "\n");
  CHECK(run.err.empty());
  CHECK(run.code == 0);
}

TEST_CASE("The flag --json prints the whole outcome") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(import { environment } from 'fino:ai/sandbox/capabilities';
export default async () => {
  console.log('hello');
  return { mode: await environment('MODE') };
};)");
  const Finished run = scene.run({"--json", "--allow-env=MODE=x"});
  CHECK(run.code == 0);
  const json outcome = json::parse(run.out);
  CHECK(outcome["status"] == "ok");
  CHECK(outcome["value"] == json({{"mode", "x"}}));
  CHECK(outcome["console"] == "hello\n");
  CHECK(outcome["consoleTruncated"] == false);
  CHECK(outcome["usage"]["wallMs"].is_number());
  CHECK(outcome["sandbox"].is_string());
  CHECK(!outcome.contains("error"));
  REQUIRE(outcome["audit"].size() == 2);
  CHECK(outcome["audit"][0]["capability"] == "environment");
  CHECK(outcome["audit"][0]["outcome"] == "used");
  CHECK(outcome["audit"][1]["capability"] == "execute");
}

TEST_CASE("A script runs at its top level and prints no result") {
  REQUIRE_SANDBOX();
  const Scene scene("console.log(await Promise.resolve('ran'));");
  const Finished run = scene.run({"--script"});
  CHECK(run.out.empty());
  CHECK(run.err == "ran\n");
  CHECK(run.code == 0);
}

TEST_CASE("What was not granted is denied, and the flag is named") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(import { readText } from 'fino:ai/sandbox/capabilities';
export default (path: string) => readText(path);)");
  const Finished denied = scene.run({}, {"/etc/hostname"});
  CHECK(denied.code == 4);
  CHECK(denied.out.empty());
  CHECK(contains(denied.err, "Uncaught SandboxDeniedError: "));
  CHECK(contains(denied.err, "not granted"));
  CHECK(contains(denied.err, "--allow-read"));

  const std::string file = scene.directory().write("data/file.txt", "text");
  CHECK(scene.run({"--allow-read=data"}, {file}).out == "\"text\"\n");
  CHECK(scene.run({"--allow-read=data/file.txt"}, {file}).code == 0);
  CHECK(scene.run({"--allow-read=data"}, {scene.directory().path() / "main.ts"}).code == 4);
}

TEST_CASE("A compile error has its place in the source") {
  REQUIRE_SANDBOX();
  const Finished run = Scene("export default () => {\n  const x: number = ;\n};\n").run();
  CHECK(run.code == 1);
  CHECK(run.out.empty());
  CHECK(run.err.starts_with("main.ts:2:21: "));
}

TEST_CASE("A thrown error has a stack that points into the TypeScript") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(interface Point { x: number }

function fail(point: Point): never {
  throw new TypeError(`bad ${point.x}`);
}

export default () => fail({ x: 3 });
)");
  const Finished run = scene.run();
  CHECK(run.code == 1);
  CHECK(run.err.starts_with("Uncaught TypeError: bad 3\n"));
  CHECK(contains(run.err, "main.ts:4:"));
  CHECK(contains(run.err, "main.ts:7:"));
}

TEST_CASE("Console text goes to standard error, made harmless") {
  REQUIRE_SANDBOX();
  const Finished run =
      Scene("export default () => { console.log('a\\x1b[2Jb'); console.error('c'); };").run();
  CHECK(run.code == 0);
  CHECK(run.err == "a\\u{1b}[2Jb\nc\n");
}

TEST_CASE("Ctrl-C, a request to terminate and a terminal that goes away end the run in order") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(export default async () => {
  console.log('started');
  await new Promise(() => {});
};)");
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    Command command(scene.invocation({"--json"}));
    REQUIRE(command.wait_for_err("started\n"));
    command.signal(number);
    const Finished run = command.finish();
    CHECK(run.code == 130);
    const json outcome = json::parse(run.out);
    CHECK(outcome["status"] == "terminated");
    CHECK(outcome["console"] == "started\n");
  }
}

TEST_CASE("Secrets come from where the flag says and show nowhere") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(import { readText, secret } from 'fino:ai/sandbox/capabilities';
export default async () => {
  const values = [await secret('A'), await secret('B'), await secret('C')];
  for (const value of values) await readText('/nowhere/' + value).catch(() => {});
  return values.map((value) => value.length);
};)");
  scene.directory().write("b.txt", "quiet-file\n");
  Invocation invocation = scene.invocation({"--json", "--audit=audit.log", "--secret=A=env:SOURCE",
                                            "--secret=B=file:b.txt", "--secret=C=fd:3"});
  invocation.environment["SOURCE"] = "quiet-variable";
  invocation.fd3 = "quiet-pipe";
  const Finished run = run_cordon(invocation);
  CHECK(run.code == 0);
  CHECK(json::parse(run.out)["value"] == json({14, 10, 10}));
  CHECK(json::parse(run.out)["audit"].size() == 7);
  CHECK(!contains(run.out, "quiet-"));
  CHECK(!contains(run.err, "quiet-"));
  std::ifstream log(scene.directory().path() / "audit.log");
  const std::string events{std::istreambuf_iterator<char>(log), {}};
  CHECK(contains(events, "execute"));
  CHECK(!contains(events, "quiet-"));
}

TEST_CASE("Modules can be imported, and nothing else can") {
  REQUIRE_SANDBOX();
  const Scene scene("import { seven } from 'lib';\nexport default () => seven;\n");
  scene.directory().write("lib.mjs", "export const seven = 7;");
  CHECK(scene.run({"--module=lib=lib.mjs"}).out == "7\n");
  const Finished run = scene.run();
  CHECK(run.code == 1);
  CHECK(contains(run.err, "lib"));
}

TEST_CASE("Programs run without just-in-time compilation as well") {
  REQUIRE_SANDBOX();
  const Scene scene(
      "export default (n: number) => { let s = 0; while (n > 0) s += n--; return s; };");
  CHECK(scene.run({"--jitless"}, {"10000"}).out == "50005000\n");
}

TEST_CASE("What the sandbox refuses to be given is a usage error that names the flag") {
  const Scene scene("export default () => 1;");
  const Finished run = scene.run({"--allow-read=absent"});
  CHECK(run.code == 2);
  CHECK(contains(run.err, "--allow-read"));
  CHECK(run.out.empty());
}

TEST_CASE("A command line that makes no sense starts nothing") {
  const Scene scene("export default () => 1;");
  scene.directory().write("binary.ts", "\xff\xfe");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& word) {
    const Finished run = run_cordon(Invocation{.arguments = std::move(arguments),
                                               .working_directory = scene.directory().path()});
    INFO(run.err);
    CHECK(run.code == 2);
    CHECK(contains(run.err, word));
  };
  refused({}, "command");
  refused({"frobnicate"}, "frobnicate");
  refused({"run"}, "FILE");
  refused({"run", "main.ts", "--frobnicate"}, "--frobnicate");
  refused({"run", "main.ts", "stray"}, "stray");
  refused({"run", "main.ts", "--timeout=20"}, "--timeout");
  refused({"run", "main.ts", "--timeout"}, "--timeout");
  refused({"run", "main.ts", "--allow-read="}, "--allow-read");
  refused({"run", "main.ts", "--secret=A=hunter2"}, "command line");
  refused({"run", "absent.ts"}, "absent.ts: No such file or directory");
  refused({"run", "."}, "Is a directory");
  refused({"run", "binary.ts"}, "binary.ts: not UTF-8 text");
  refused({"run", "main.ts", "--max-source-bytes=4"}, "main.ts: larger than 4 bytes; see --max-");
  refused({"run", "--", "-"}, "FILE");
  refused({"run", ""}, "FILE");
  CHECK(contains(run_cordon(Invocation{.arguments = {"run", "-"}, .input = "\xff"}).err,
                 "standard input: not UTF-8 text"));
  refused({"run", "main.ts", "--", "\xff"}, "argument 1");
  refused({"audit"}, "subcommand");
  refused({"audit", "verify"}, "FILE");
  refused({"audit", "verify", "absent.log"}, "absent.log");
  refused({"audit", "verify", "main.ts", "--", "x"}, "--");
}

TEST_CASE("Help and version are there") {
  const Finished help = run_cordon({"run", "--help"});
  CHECK(help.code == 0);
  CHECK(contains(help.out, "--allow-read=PATH"));
  CHECK(help.err.empty());
  CHECK(run_cordon({"--help"}).code == 0);
  const Finished version = run_cordon({"--version"});
  CHECK(version.code == 0);
  CHECK(std::regex_match(version.out, std::regex("cordon \\d+\\.\\d+\\.\\d+\n")));
}
