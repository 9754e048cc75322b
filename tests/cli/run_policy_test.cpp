// `cordon run --policy` and `--print-policy`, end to end.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/support/scene.h"

using namespace cordon::test;
using nlohmann::json;

namespace {

constexpr const char* kProgram = R"(
import { environment, readText, secret } from 'fino:ai/sandbox/capabilities';
export default async (path: string) =>
  [await environment('MODE'), (await secret('TOKEN')).length, await readText(path)];
)";

}  // namespace

TEST_CASE("A policy grants what it says and no more") {
  REQUIRE_SANDBOX();
  const Scene scene(kProgram);
  const std::string text = scene.directory().write("data/a.txt", "text");
  const std::string other = scene.directory().write("other/b.txt", "other");
  const json policy = {{"filesystem", {{"read", {scene.directory().path() / "data"}}}},
                       {"environment", {{"MODE", "policy"}}},
                       {"secrets", {{"TOKEN", {{"fd", 3}}}}},
                       {"resources", {{"maxOperations", 3}}}};
  scene.directory().write("policy.json", policy.dump());
  const auto run = [&](std::vector<std::string> flags, const std::string& path) {
    flags.emplace_back("--policy=policy.json");
    Invocation invocation = scene.invocation(std::move(flags), {path});
    invocation.fd3 = "quiet-pipe\n";
    return run_cordon(invocation);
  };
  CHECK(run({}, text).out == "[\"policy\",10,\"text\"]\n");
  const Finished denied = run({}, other);
  CHECK(denied.code == 4);
  CHECK(contains(denied.err, "not granted"));
  CHECK(contains(denied.err, "--allow-read"));
  CHECK(run({"--allow-read=other", "--allow-env=MODE=flag"}, other).out ==
        "[\"flag\",10,\"other\"]\n");
  CHECK(contains(run({"--max-ops=2"}, text).err, "operation budget"));
}

TEST_CASE("A policy that cannot be used starts nothing") {
  const Scene scene("export default () => 1;");
  scene.directory().write("policy.json", R"({"filesystem": {"read": ["data"]}})");
  const Finished run = scene.run({"--policy=policy.json"});
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "--policy=policy.json: filesystem.read[0]: must be an absolute path"));
  CHECK(contains(run.err, "--allow-read"));
  CHECK(contains(scene.run({"--policy=absent.json"}).err,
                 "--policy=absent.json: No such file or directory"));
}

TEST_CASE("The flag --print-policy prints and runs nothing, and its output is a policy") {
  const Scene scene("while (true) {}");
  scene.directory().write("data/a.txt", "text");
  const Finished first =
      scene.run({"--print-policy", "--allow-read=data", "--allow-env=A=1", "--timeout=1s",
                 "--allow-net=https://a.example", "--cpu-time=2s", "--experimental-decorators"},
                {"ignored"});
  CHECK(first.code == 0);
  CHECK(first.err.empty());
  const json policy = json::parse(first.out);
  CHECK(policy["filesystem"]["read"] == json({scene.directory().path() / "data"}));
  CHECK(policy["network"]["methods"] == json({"GET"}));
  CHECK(policy["environment"] == json({{"A", "1"}}));
  CHECK(policy["resources"]["wallClockMs"] == 1000);
  CHECK(policy["resources"]["maxOperations"] == 100);
  CHECK(!policy.contains("subprocess"));

  scene.directory().write("printed.json", first.out);
  const Finished second = run_cordon(
      Invocation{.arguments = {"run", "--print-policy", "--policy=printed.json"},  // no FILE
                 .working_directory = scene.directory().path()});
  CHECK(second.code == 0);
  CHECK(second.out == first.out);
}

TEST_CASE("The flag --print-policy refuses what a run would refuse") {
  const Scene scene("export default () => 1;");
  const Finished run = scene.run({"--print-policy", "--allow-read=absent"});
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "--allow-read"));
}

TEST_CASE("The flag --print-policy shows no secret, and a masked one is refused") {
  const Scene scene(kProgram);
  scene.directory().write("policy.json", R"({"secrets": {"TOKEN": "quiet-literal"}})");
  Invocation invocation =
      scene.invocation({"--print-policy", "--policy=policy.json", "--secret=OTHER=fd:3"});
  invocation.fd3 = "quiet-pipe\n";
  const Finished printed = run_cordon(invocation);
  CHECK(printed.code == 0);
  CHECK(!contains(printed.out + printed.err, "quiet-"));
  CHECK(json::parse(printed.out)["secrets"] == json({{"OTHER", "***"}, {"TOKEN", "***"}}));

  scene.directory().write("printed.json", printed.out);
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--policy=printed.json"},
                                                {"--policy=printed.json", "--print-policy"}}) {
    const Finished refused = scene.run(flags);
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK(contains(refused.err, "--policy=printed.json: secrets.OTHER: is \"***\""));
    CHECK(contains(refused.err, "put {\"env\": NAME}"));
  }
}
