// Every limit's flag, end to end and on both sides: enough, and not enough.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/support/scene.h"

using namespace cordon::test;
using nlohmann::json;

namespace {

// A refusal that nobody caught: exit code 4 and words about which limit it was.
void check_denied(const Finished& run, const std::string& words, const std::string& flag) {
  INFO(run.err);
  CHECK(run.code == 4);
  CHECK(run.out.empty());
  CHECK(contains(run.err, words));
  CHECK(contains(run.err, flag));
}

}  // namespace

TEST_CASE("The flag --timeout bounds the wall clock") {
  REQUIRE_SANDBOX();
  const Scene scene("export default (forever: boolean) => { while (forever) {} };");
  CHECK(scene.run({"--timeout=2m"}, {"false"}).code == 0);
  const Finished run = scene.run({"--timeout=20ms"}, {"true"});
  CHECK(run.code == 124);
  CHECK(contains(run.err, "exceeded 20ms"));
  CHECK(contains(run.err, "--timeout"));
}

TEST_CASE("The flag --cpu-time bounds the CPU time, whatever the wall clock allows") {
  REQUIRE_SANDBOX();
  const Scene scene("export default (forever: boolean) => { while (forever) {} };");
  CHECK(scene.run({"--cpu-time=2m", "--timeout=2m"}, {"false"}).code == 0);
  const Finished run = scene.run({"--cpu-time=50ms", "--timeout=2m", "--json"}, {"true"});
  CHECK(run.code == 124);
  CHECK(json::parse(run.out)["status"] == "cpu_limit");
  CHECK(contains(run.err, "exceeded 50ms"));
  CHECK(contains(run.err, "--cpu-time"));
}

TEST_CASE("The flag --memory bounds the memory") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(export default (arrays: number) => {
  const all: number[][] = [];
  while (all.length < arrays) all.push(new Array(100_000).fill(1.5));
  return all.length;
};)");
  CHECK(scene.run({"--memory=512M", "--timeout=2m"}, {"250"}).out == "250\n");
  const Finished run = scene.run({"--memory=64M", "--timeout=2m"}, {"250"});
  CHECK(run.code == 137);
  CHECK(contains(run.err, "--memory"));
}

TEST_CASE("The flag --max-ops bounds the number of calls") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(import { environment } from 'fino:ai/sandbox/capabilities';
export default async () => [await environment('A'), await environment('A')];)");
  CHECK(scene.run({"--allow-env=A=1", "--max-ops=2"}).code == 0);
  check_denied(scene.run({"--allow-env=A=1", "--max-ops=1"}), "operation budget", "--max-ops");
}

TEST_CASE("The flag --max-read-bytes bounds one readText") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(import { readText } from 'fino:ai/sandbox/capabilities';
export default (path: string) => readText(path);)");
  const std::string file = scene.directory().write("a.txt", "12345");
  CHECK(scene.run({"--allow-read=.", "--max-read-bytes=5"}, {file}).out == "\"12345\"\n");
  check_denied(scene.run({"--allow-read=.", "--max-read-bytes=4"}, {file}), "exceeds 4 bytes",
               "--max-read-bytes");
}

TEST_CASE("The flag --max-write-bytes bounds one writeText") {
  REQUIRE_SANDBOX();
  const Scene scene(R"(import { writeText } from 'fino:ai/sandbox/capabilities';
export default (path: string) => writeText(path, '12345');)");
  const auto file = scene.directory().path() / "a.txt";
  check_denied(scene.run({"--allow-write=.", "--max-write-bytes=4"}, {file}), "exceeds 4 bytes",
               "--max-write-bytes");
  CHECK(!std::filesystem::exists(file));
  CHECK(scene.run({"--allow-write=.", "--max-write-bytes=5"}, {file}).code == 0);
  CHECK(std::filesystem::file_size(file) == 5);
}

TEST_CASE("The flag --max-console-bytes cuts console text") {
  REQUIRE_SANDBOX();
  const Scene scene("export default () => { console.log('12345'); };");
  const auto truncated = [&](const std::string& flag) {
    const Finished run = scene.run({flag, "--json"});
    CHECK(run.code == 0);
    return json::parse(run.out)["consoleTruncated"].get<bool>();
  };
  CHECK_FALSE(truncated("--max-console-bytes=6"));
  CHECK(truncated("--max-console-bytes=3"));
}

TEST_CASE("The flag --max-result-bytes bounds the result") {
  REQUIRE_SANDBOX();
  const Scene scene("export default () => '1234567890';");
  CHECK(scene.run({"--max-result-bytes=12"}).out == "\"1234567890\"\n");
  const Finished run = scene.run({"--max-result-bytes=11"});
  CHECK(run.code == 1);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "output_limit"));
  CHECK(contains(run.err, "exceeds 11 bytes"));
  CHECK(contains(run.err, "--max-result-bytes"));
}

TEST_CASE("The flag --max-source-bytes bounds the source") {
  REQUIRE_SANDBOX();
  const Scene scene("export default () => 1;");  // 23 bytes
  CHECK(scene.run({"--max-source-bytes=23"}).out == "1\n");
  const Finished run = scene.run({"--max-source-bytes=22"});
  CHECK(run.code == 2);
  CHECK(contains(run.err, "main.ts: larger than 22 bytes; see --max-source-bytes"));
}
