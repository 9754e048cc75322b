// What a guest can and cannot do, through the public API and the real engine.

#include <catch2/catch.hpp>

#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using test::ScratchDirectory;
using test::World;
using Lines = std::vector<std::string>;

TEST_CASE("ambient modules and network globals are not there") {
  World world;
  const Outcome outcome = world.run(R"ts(
    export default async () => {
      const loaded: string[] = [];
      for (const name of ['node:fs', 'fs', 'fino:process', './x.ts', 'data:text/javascript,1']) {
        try { await import(name); loaded.push(name); } catch {}
      }
      const g: any = globalThis;
      return { loaded, found: ['fetch', 'WebSocket', 'process', 'require', 'WebAssembly'].filter((n) => n in g) };
    };
  )ts");
  CHECK(outcome.value().view() == nlohmann::json::parse(R"({"loaded":[],"found":[]})"));
  CHECK(world.event_lines() == Lines{"execute used"});
}

TEST_CASE("a static import of anything else fails before any statement runs") {
  World world;
  const Outcome outcome =
      world.run("console.log('ran'); import 'node:fs'; export default () => 1;");
  CHECK(outcome.status == Status::kError);
  CHECK_THAT(outcome.error->message, Contains("node:fs"));
  CHECK(outcome.console.empty());
}

TEST_CASE("environment variables and secrets are exactly those granted") {
  World world;
  AISandboxOptions options;
  options.environment = {{"MODE", "mode-value-q8"}};
  options.secrets = {{"TOKEN", "tok-5up3r-9d41c7"}};
  const Outcome outcome = world.run(R"ts(
    import { environment, secret } from 'fino:ai/sandbox/capabilities';
    export default async () => {
      const got = [await environment('MODE'), await secret('TOKEN')];
      for (const name of ['HOME', '__proto__', 'TOKEN']) {
        try { got.push(await environment(name)); } catch (e: any) { got.push(e.name + ':' + e.capability); }
      }
      return got;
    };
  )ts",
                                    options);
  CHECK(outcome.value().view() == nlohmann::json::parse(R"(["mode-value-q8","tok-5up3r-9d41c7",
          "SandboxDeniedError:environment","SandboxDeniedError:environment",
          "SandboxDeniedError:environment"])"));
  CHECK(world.event_lines() == Lines{"environment used MODE", "secret used TOKEN",
                                     "environment denied HOME", "environment denied __proto__",
                                     "environment denied TOKEN", "execute used"});
  CHECK_THAT(world.all_event_text(), !Contains("mode-value-q8") && !Contains("tok-5up3r"));
}

TEST_CASE("a secret that the guest throws or asks for by name is in no event") {
  World world;
  AISandboxOptions options;
  options.secrets = {{"TOKEN", "tok-5up3r-9d41c7"}};
  const Outcome outcome = world.run(R"ts(
    import { environment, readText, secret } from 'fino:ai/sandbox/capabilities';
    export default async () => {
      const token = await secret('TOKEN');
      for (const f of [() => environment(token), () => readText('/x/' + btoa(token))]) {
        try { await f(); } catch {}
      }
      const e: any = new Error('failed for ' + token); e.name = token; throw e;
    };
  )ts",
                                    options);
  CHECK(outcome.status == Status::kError);
  CHECK_THAT(world.all_event_text(),
             !Contains("tok-5up3r-9d41c7") && !Contains("dG9rLTV1cDNyLTlkNDFjN"));
  CHECK(world.events().size() == 4);
}

TEST_CASE("reads are confined to the granted roots") {
  ScratchDirectory scratch;
  scratch.write("in/ok.txt", "inside");
  scratch.write("out/secret.txt", "OUTSIDE");
  std::filesystem::create_symlink(scratch / "out/secret.txt", scratch / "in/link");
  World world;
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{{scratch / "in"}, {}};
  const Outcome outcome =
      world.run(R"ts(
    import { readText } from 'fino:ai/sandbox/capabilities';
    export default async (root: string) => {
      const got: string[] = [];
      for (const p of ['/in/ok.txt', '/in/link', '/out/secret.txt', '/in/missing.txt']) {
        try { got.push(await readText(root + p)); } catch (e: any) { got.push(e.name); }
      }
      return got;
    };
  )ts",
                options, nlohmann::json::array({scratch.path().string()}).dump());
  CHECK(outcome.value().view() ==
        nlohmann::json::parse(R"(["inside","SandboxDeniedError","SandboxDeniedError","Error"])"));
  CHECK(world.event_lines() == Lines{"filesystem.read used " + (scratch / "in/ok.txt"),
                                     "filesystem.read denied " + (scratch / "in/link"),
                                     "filesystem.read denied " + (scratch / "out/secret.txt"),
                                     "filesystem.read error " + (scratch / "in/missing.txt"),
                                     "execute used"});
}

TEST_CASE("writes land only beneath the granted roots") {
  ScratchDirectory scratch;
  scratch.write("in/keep.txt", "old");
  World world;
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{{}, {scratch / "in"}};
  options.resources.max_write_bytes = 16;
  const Outcome outcome =
      world.run(R"ts(
    import { writeText } from 'fino:ai/sandbox/capabilities';
    export default async (root: string) => {
      const got: string[] = [];
      for (const [p, text] of [['/in/new.txt', 'new'], ['/in/keep.txt', 'newer'], ['/out.txt', 'x'],
                               ['/in/big.txt', '\u20ac'.repeat(6)], ['/in/huge.txt', 'x'.repeat(9_000_000)]]) {
        try { await writeText(root + p, text); got.push('wrote'); } catch (e: any) { got.push(e.capability); }
      }
      return got;
    };
  )ts",
                options, nlohmann::json::array({scratch.path().string()}).dump());
  CHECK(outcome.value().view() ==
        nlohmann::json::parse(
            R"(["wrote","wrote","filesystem.write","resource.bytes","resource.bytes"])"));
  CHECK(scratch.read("in/new.txt") == "new");
  CHECK(scratch.read("in/keep.txt") == "newer");
  CHECK_FALSE(std::filesystem::exists(scratch / "out.txt"));
  CHECK_FALSE(std::filesystem::exists(scratch / "in/big.txt"));
  CHECK(world.event_lines() == Lines{"filesystem.write used " + (scratch / "in/new.txt"),
                                     "filesystem.write used " + (scratch / "in/keep.txt"),
                                     "filesystem.write denied " + (scratch / "out.txt"),
                                     "resource.bytes denied " + (scratch / "in/big.txt"),
                                     "resource.bytes denied " + (scratch / "in/huge.txt"),
                                     "execute used"});
}

TEST_CASE("without a grant, network and subprocess are ordinary denials") {
  World world;
  const Outcome network = world.run(R"ts(
    import { fetchText } from 'fino:ai/sandbox/capabilities';
    export default () => fetchText('https://user:pass@example.com/path?q=1');
  )ts");
  CHECK(network.status == Status::kDenied);
  CHECK(network.denial->capability == "network");
  const Outcome process = world.run(R"ts(
    import { spawn } from 'fino:ai/sandbox/capabilities';
    export default () => spawn('/bin/echo', ['hello']);
  )ts");
  CHECK(process.status == Status::kDenied);
  CHECK_THAT(process.denial->message, Contains("Subprocess") && Contains("not granted"));
  CHECK(process.denial->target == "/bin/echo");
}

TEST_CASE("the operation budget holds across concurrent calls") {
  World world;
  AISandboxOptions options;
  options.environment = {{"A", "a"}};
  const Outcome outcome = world.run(R"ts(
    import { environment } from 'fino:ai/sandbox/capabilities';
    export default async () => {
      const all = await Promise.allSettled(Array.from({ length: 10000 }, () => environment('A')));
      const refused: any[] = all.filter((x) => x.status === 'rejected').map((x: any) => x.reason);
      return [all.length - refused.length, [...new Set(refused.map((e) => e.capability))], refused[0].message];
    };
  )ts",
                                    options);
  const auto value = outcome.value().view();
  CHECK(value[0] == 100);
  CHECK(value[1] == nlohmann::json::array({"resource.operations"}));
  CHECK_THAT(value[2].get<std::string>(), Contains("operation budget"));
  const auto events = world.events();
  CHECK(events.size() == 102);
  CHECK(events.back().count == 9899u);
  CHECK(outcome.usage.operations == 10000);
}

TEST_CASE("thousands of large replies at once neither block nor pile up") {
  ScratchDirectory scratch;
  scratch.write("in/file.txt", std::string(16 << 10, 'x'));
  World world;
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{{scratch / "in"}, {}};
  options.resources.max_operations = 5000;
  const Outcome outcome =
      world.run(R"ts(
    import { readText } from 'fino:ai/sandbox/capabilities';
    export default async (path: string) => {
      let total = 0;
      await Promise.all(Array.from({ length: 5000 }, async () => { const text = await readText(path); total += text.length; }));
      return total;
    };
  )ts",
                options, nlohmann::json::array({scratch / "in/file.txt"}).dump());
  CHECK(outcome.value().json() == std::to_string(5000 * (16 << 10)));
}

TEST_CASE("wrong argument types are refused in the guest: no operation, no event") {
  World world;
  const Outcome outcome = world.run(R"ts(
    import { environment, readText } from 'fino:ai/sandbox/capabilities';
    export default async () => {
      let touched = false;
      const trap: any = { toString() { touched = true; return 'A'; } };
      const names: string[] = [];
      for (const f of [() => environment(trap), () => readText(1 as any), () => (environment as any)()]) {
        try { await f(); } catch (e: any) { names.push(e.name); }
      }
      return [names, touched];
    };
  )ts");
  CHECK(outcome.value().json() == R"([["TypeError","TypeError","TypeError"],false])");
  CHECK(outcome.usage.operations == 0);
  CHECK(world.event_lines() == Lines{"execute used"});
}
