#include "cli/batch/results_output.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/support/temporary_directory.h"

using namespace cordon;
using namespace cordon::batch;

namespace {

JobResult some_result(const std::string& id) {
  JobResult result;
  result.identity.line = 3;
  result.identity.id_json = id;
  result.identity.task = "t";
  result.verdict = Verdict::kFailed;
  result.outcome.error.emplace();
  result.outcome.error->name = "AssertionError";
  result.outcome.error->message = "1 == 2\n\"quoted\"";
  result.outcome.console = "line\n";
  result.outcome.usage.wall_ms = 1.5;
  result.attempt = 1;
  return result;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a result line is read back") {
  const std::string line = result_line(some_result("\"a\""));
  CHECK(line.find('\n') == line.size() - 1);
  const auto past = read_result_line(line);
  REQUIRE(past.has_value());
  CHECK(past->id_json == "\"a\"");
  CHECK(past->line == 3);
  CHECK(*past->task == "t");
  CHECK(past->verdict == Verdict::kFailed);
  CHECK(past->error_name == "AssertionError");
  CHECK(past->error_message == "1 == 2\n\"quoted\"");
  CHECK(past->wall_ms == 1.5);
}

TEST_CASE("other lines are no results") {
  for (const char* line :
       {"", "{}", "[]", "null", "{\"id\":1,\"line\":1,\"verdict\":\"great\"}",
        "{\"line\":1,\"verdict\":\"passed\"}", "{\"id\":1,\"line\":-1,\"verdict\":\"passed\"}"}) {
    CHECK_FALSE(read_result_line(line).has_value());
  }
}

TEST_CASE("results are appended, a torn line is cut off") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path() / "results.jsonl";
  const std::string whole = result_line(some_result("1"));
  for (const std::string torn : {"", "{\"id\":2", "{"}) {
    directory.write("results.jsonl", whole + torn);
    auto output = ResultsOutput::open(path, true);
    REQUIRE(output.has_value());
    std::vector<std::string> ids;
    REQUIRE(output->read_past([&](const PastResult& past) { ids.push_back(past.id_json); })
                .has_value());
    CHECK(ids == std::vector<std::string>{"1"});
    REQUIRE(output->write(whole).has_value());
    CHECK(text_of(path) == whole + whole);
  }
}

TEST_CASE("a file with results is not taken for a new one, nor by two at a time") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.write("results.jsonl", result_line(some_result("1")));
  CHECK_FALSE(ResultsOutput::open(path, false).has_value());
  const auto first = ResultsOutput::open(path, true);
  REQUIRE(first.has_value());
  const auto second = ResultsOutput::open(path, true);
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().message.find("another cordon batch") != std::string::npos);
}

TEST_CASE("a file that holds something else is left alone") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.write("results.jsonl", "a letter\nto torn");
  auto output = ResultsOutput::open(path, true);
  REQUIRE(output.has_value());
  CHECK_FALSE(output->read_past([](const PastResult&) {}).has_value());
  CHECK(text_of(path) == "a letter\nto torn");
}
