// All recorded HumanEval programs, five times over at several degrees of parallelism: each ends as
// it is known to, every time.

#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/batch/support/batch.h"

using namespace cordon::test;
using nlohmann::json;

namespace {

constexpr const char* kWorkload = CORDON_SOURCE_DIR "/tests/workloads/humaneval-ts.jsonl";
constexpr std::size_t kPrograms = 159;

std::map<std::string, std::string> expected_verdicts() {
  std::map<std::string, std::string> expected;
  std::ifstream file(kWorkload);
  for (std::string line; std::getline(file, line);) {
    const json program = json::parse(line);
    expected[program["id"]] = program["expect_status"];
  }
  return expected;
}

}  // namespace

TEST_CASE("HumanEval programs have the same verdicts in every run") {
  REQUIRE_SANDBOX();
  const auto expected = expected_verdicts();
  REQUIRE(expected.size() == kPrograms);
  for (const char* parallel : {"-j1", "-j2", "-j8"}) {
    for (int run = 0; run < 5; ++run) {
      const Answers answers = judge_file(kWorkload, {"--module-assert", "--timeout=20s", parallel});
      CHECK(answers.size() == kPrograms);
      for (const auto& [id, answer] : answers) {
        INFO(parallel << ", run " << run << ", " << id << ": " << answer.dump());
        CHECK(answer["verdict"] == expected.at(id));
      }
    }
    std::cout << parallel << ": five runs" << std::endl;
  }
}
