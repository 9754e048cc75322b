#pragma once
// `cordon batch` run once over some jobs, and its answers by id.

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/support/scene.h"

namespace cordon::test {

using Answers = std::map<std::string, nlohmann::json>;

inline std::string id_of(const nlohmann::json& answer) {
  return answer["id"].is_string() ? answer["id"].get<std::string>() : answer["id"].dump();
}

inline std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

inline Answers by_id(const std::vector<nlohmann::json>& lines) {
  Answers answers;
  for (const auto& line : lines) CHECK(answers.emplace(id_of(line), line).second);
  return answers;
}

inline Finished run_batch(const std::string& jobs, std::vector<std::string> flags = {}) {
  flags.insert(flags.begin(), {"batch", jobs, "--quiet"});
  return run_cordon(flags);
}

inline Answers judge_file(const std::string& jobs, const std::vector<std::string>& flags = {}) {
  const Finished run = run_batch(jobs, flags);
  INFO(run.err);
  CHECK(run.code == 0);
  return by_id(lines_of(run.out));
}

inline nlohmann::json judge_one(const nlohmann::json& job,
                                const std::vector<std::string>& flags = {}) {
  const TemporaryDirectory directory;
  const Answers answers = judge_file(directory.write("jobs.jsonl", job.dump() + "\n"), flags);
  REQUIRE(answers.size() == 1);
  return answers.begin()->second;
}

}  // namespace cordon::test
