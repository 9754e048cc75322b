// Verdict integrity: what a program does to its judges, and what it must not be blamed for.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/batch/support/batch.h"

using cordon::test::Answers;
using cordon::test::judge_file;
using nlohmann::json;

namespace {

std::string file(const std::string& name) { return CORDON_BATCH_TESTS "/" + name; }

}  // namespace

TEST_CASE("no trick turns a wrong program into one that passed") {
  REQUIRE_SANDBOX();
  const Answers answers = judge_file(file("tricks.jsonl"), {"--module-assert", "--timeout=5s"});
  CHECK(answers.size() >= 40);
  for (const auto& [id, answer] : answers) {
    INFO(id << ": " << answer.dump());
    const std::string verdict = answer["verdict"];
    CHECK((verdict == "failed" || verdict == "error"));
  }
  CHECK(answers.at("shadow json")["error"]["message"].get<std::string>().find("declares `JSON`") !=
        std::string::npos);
  CHECK(answers.at("eval locked")["error"]["message"].get<std::string>().find("for good") !=
        std::string::npos);
}

TEST_CASE("what honest programs and tests do is not taken for a trick") {
  REQUIRE_SANDBOX();
  const Answers answers = judge_file(file("honest.jsonl"), {"--module-assert", "--timeout=5s"});
  CHECK(answers.size() >= 15);
  for (const auto& [id, answer] : answers) {
    INFO(id << ": " << answer.dump());
    CHECK(answer["verdict"] == "passed");
  }
}

TEST_CASE("the position of a failed assertion is that in the tests") {
  REQUIRE_SANDBOX();
  const json job = {{"id", 1},
                    {"source", "function f(): number {\n  return 5;\n}"},
                    {"tests", "import assert from 'assert';\n\nassert.equal(f(), 4);"}};
  const json answer = cordon::test::judge_one(job, {"--module-assert"});
  CHECK(answer["verdict"] == "failed");
  CHECK(answer["error"]["name"] == "AssertionError");
  CHECK(answer["error"]["inTests"] == true);
  CHECK(answer["error"]["stack"].get<std::string>().find("tests.ts:3:") != std::string::npos);
}

TEST_CASE("tests that are no TypeScript are said to be the tests' fault") {
  REQUIRE_SANDBOX();
  const json answer =
      cordon::test::judge_one({{"id", 1}, {"source", "1"}, {"tests", "let let = ;"}});
  CHECK(answer["verdict"] == "compile_error");
  CHECK(answer["error"]["inTests"] == true);
  CHECK(answer["error"]["message"].get<std::string>().starts_with("In the tests: "));
  CHECK(answer["error"]["line"] == 1);
}

TEST_CASE("tests of a module see its exports, its names and what its default export returned") {
  REQUIRE_SANDBOX();
  const json job = {
      {"id", 1},
      {"entry", "module"},
      {"source", "const k = 3; export const g = () => k; export default (a: number) => a * k;"},
      {"args", {2}},
      {"tests",
       "import assert from 'assert'; assert.equal(result, 6); assert.equal(k, 3);"
       "assert.equal(exports.g(), 3); assert.equal(exports.default(1), 3);"}};
  const json answer = cordon::test::judge_one(job, {"--module-assert"});
  INFO(answer.dump());
  CHECK(answer["verdict"] == "passed");
  CHECK(answer["value"] == 6);
}

TEST_CASE("a promise that a module's tests do not wait for counts as well") {
  REQUIRE_SANDBOX();
  const json job = {{"id", 1},
                    {"entry", "module"},
                    {"source", "export default async () => 5;"},
                    {"tests",
                     "Promise.resolve(exports.default()).then((v) => { if (v !== 4) throw "
                     "new Error('not 4'); });"}};
  CHECK(cordon::test::judge_one(job)["verdict"] == "error");
}

TEST_CASE("expected values are compared as JSON") {
  REQUIRE_SANDBOX();
  const auto verdict = [](const char* source, const json& expected) {
    return cordon::test::judge_one({{"source", source}, {"expected", expected}})["verdict"];
  };
  CHECK(verdict("export default () => ({ b: 1, a: [1.0] })", json::parse(R"({"a":[1],"b":1})")) ==
        "passed");
  CHECK(verdict("export default () => [1, 2]", json::parse("[2,1]")) == "failed");
  CHECK(verdict("export default () => null", nullptr) == "passed");
  CHECK(verdict("export default () => NaN", json::parse(R"({"$num":"NaN"})")) == "passed");
  CHECK(verdict("export default () => { throw new Error('AssertionError') }", 1) == "error");
}

TEST_CASE("the built-in assert is there by import and by require, only when asked for") {
  REQUIRE_SANDBOX();
  const json job = {
      {"entry", "script"},
      {"source",
       "import assert, { strictEqual } from 'node:assert'; import strict from "
       "'assert/strict'; declare const require: any; if (require('assert') !== assert || "
       "require('node:assert/strict') !== strict || assert.strict !== strict || "
       "strictEqual !== assert.strictEqual || !Object.isFrozen(assert)) throw 1;"}};
  CHECK(cordon::test::judge_one(job, {"--module-assert"})["verdict"] == "passed");
  const json without = cordon::test::judge_one(job);
  CHECK(without["verdict"] == "error");
  CHECK(without["error"]["message"].get<std::string>().find("cannot import \"node:assert\"") !=
        std::string::npos);
}

TEST_CASE("seed and clock make runs repeat") {
  REQUIRE_SANDBOX();
  const json job = {{"source",
                     "export default () => [Math.random(), Math.random(), Date.now(), "
                     "new Date().toISOString()];"}};
  const std::vector<std::string> flags = {"--seed=7", "--clock=2026-01-31T12:00:00Z"};
  const json first = cordon::test::judge_one(job, flags);
  CHECK(first["value"] == cordon::test::judge_one(job, flags)["value"]);
  CHECK(first["value"][3] == "2026-01-31T12:00:00.000Z");
  const json other = cordon::test::judge_one(job, {"--seed=8"});
  CHECK(other["value"][0] != first["value"][0]);
  CHECK(other["value"][3] != first["value"][3]);
}
