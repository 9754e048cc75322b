// Recorded model solutions with their benchmark's tests, run as scripts: each must end as it is
// known to.

#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/support/command.h"
#include "tests/cli/support/temporary_directory.h"

using cordon::test::Finished;
using cordon::test::run_cordon;
using nlohmann::json;

namespace {

constexpr std::size_t kPrograms = 40;

// All that are known to fail or to be in error, then good ones up to kPrograms.
std::vector<json> chosen_programs() {
  std::ifstream file(CORDON_SOURCE_DIR "/tests/workloads/humaneval-ts.jsonl");
  std::vector<json> good, chosen;
  for (std::string line; std::getline(file, line);) {
    json program = json::parse(line);
    (program["expect_status"] == "passed" ? good : chosen).push_back(std::move(program));
  }
  for (json& program : good) {
    if (chosen.size() < kPrograms) chosen.push_back(std::move(program));
  }
  return chosen;
}

std::string verdict_of(const Finished& run) {
  if (run.code == 0) return "passed";
  if (run.code != 1 || run.out.empty()) return "exit code " + std::to_string(run.code);
  const json outcome = json::parse(run.out);
  if (outcome["status"] != "error") return outcome["status"];
  return outcome["error"]["name"] == "AssertionError" ? "failed" : "error";
}

}  // namespace

TEST_CASE("HumanEval programs end as they are known to") {
  const std::vector<json> programs = chosen_programs();
  REQUIRE(programs.size() == kPrograms);

  const cordon::test::TemporaryDirectory directory;
  const std::string assert_module = CORDON_ASSERT_MODULE;
  std::map<std::string, int> verdicts;
  for (const json& program : programs) {
    const std::string id = program["id"];
    const std::string file = directory.write(id + ".ts", program["source"].get<std::string>());
    const Finished run =
        run_cordon({"run", file, "--script", "--json", "--timeout=10s",
                    "--module=node:assert=" + assert_module, "--module=assert=" + assert_module});
    if (run.code == 3) {
      std::cout << "cordon-test-skipped: " << run.err << std::endl;
      return;
    }
    INFO(id << "\n" << run.err);
    const std::string verdict = verdict_of(run);
    CHECK(verdict == program["expect_status"].get<std::string>());
    ++verdicts[verdict];
  }
  std::cout << "verdicts: " << json(verdicts) << std::endl;
}
