// Interrupted batches: nothing is lost and nothing is answered twice.

#include <sys/wait.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/batch/support/batch.h"
#include "tests/batch/support/interactive.h"

using namespace cordon::test;
using nlohmann::json;

namespace {

constexpr int kJobs = 60;

// Valid ones, a line that is no job, and a duplicate.
std::string some_jobs() {
  std::string jobs;
  for (int i = 0; i < kJobs; ++i) {
    jobs += json{{"id", i}, {"source", "export default () => " + std::to_string(i)}}.dump() + "\n";
    if (i == 10) jobs += "no job\n";
    if (i == 20) jobs += json{{"id", 3}, {"source", "1"}}.dump() + "\n";
  }
  return jobs;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t whole_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void check_complete(const std::string& results) {
  std::map<int, int> valid;
  std::map<int, int> invalid;
  for (const json& answer : lines_of(text_of(results))) {
    if (answer["verdict"] == "invalid_job") {
      ++invalid[answer["line"]];
    } else {
      CHECK(answer["value"] == answer["id"]);
      ++valid[answer["id"]];
    }
  }
  CHECK(valid.size() == kJobs);
  CHECK(invalid.size() == 2);
  for (const auto& counts : {valid, invalid}) {
    for (const auto& [id, count] : counts) CHECK(count == 1);
  }
}

}  // namespace

TEST_CASE("after kill -9 at any moment --resume completes the results") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  const std::string jobs = directory.write("jobs.jsonl", some_jobs());
  const std::string results = (directory.path() / "results.jsonl").string();
  for (const std::size_t enough : {std::size_t{1}, std::size_t{20}, std::size_t{40}}) {
    Interactive batch({"batch", jobs, "-o", results, "--resume", "-j2", "--quiet"});
    while (whole_lines(text_of(results)) < enough && ::kill(batch.pid(), 0) == 0) {
      if (siginfo_t info{}; ::waitid(P_PID, static_cast<id_t>(batch.pid()), &info,
                                     WEXITED | WNOHANG | WNOWAIT) == 0 &&
                            info.si_pid != 0) {
        break;
      }
    }
    ::kill(batch.pid(), SIGKILL);
    batch.wait();
  }
  const Finished run = run_batch(jobs, {"-o", results, "--resume", "-j2"});
  INFO(run.err);
  CHECK(run.code == 0);
  check_complete(results);
  // Once more: there is nothing left to do.
  const std::string before = text_of(results);
  CHECK(run_batch(jobs, {"-o", results, "--resume"}).code == 0);
  CHECK(text_of(results) == before);
}

TEST_CASE("a torn last line is cut off and its job run again") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  const std::string jobs = directory.write("jobs.jsonl", some_jobs());
  const std::string results = (directory.path() / "results.jsonl").string();
  REQUIRE(run_batch(jobs, {"-o", results}).code == 0);
  std::string text = text_of(results);
  text.resize(text.size() - 30);
  directory.write("results.jsonl", text);
  CHECK(run_batch(jobs, {"-o", results, "--resume"}).code == 0);
  check_complete(results);
}

TEST_CASE("results are neither overwritten nor mixed with something else") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  const std::string jobs = directory.write("jobs.jsonl", some_jobs());
  const std::string results = directory.write("results.jsonl", "a letter\n");
  const Finished again = run_batch(jobs, {"-o", results});
  CHECK(again.code == 2);
  CHECK(contains(again.err, "--resume"));
  const Finished resumed = run_batch(jobs, {"-o", results, "--resume"});
  CHECK(resumed.code == 2);
  CHECK(contains(resumed.err, "is no result"));
  CHECK(text_of(results) == "a letter\n");
}

TEST_CASE("the first Ctrl-C waits for what runs, and --resume does the rest") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  const std::string jobs = directory.write("jobs.jsonl", some_jobs());
  const std::string results = (directory.path() / "results.jsonl").string();
  {
    Interactive batch({"batch", "-", "-o", results, "-j2", "--quiet"});
    std::ifstream lines(jobs);
    std::string line;
    for (int i = 0; i < 30 && std::getline(lines, line); ++i) REQUIRE(batch.write(line + "\n"));
    while (whole_lines(text_of(results)) < 5) {
    }
    ::kill(batch.pid(), SIGINT);
    CHECK(batch.wait() == 130);
  }
  const std::string text = text_of(results);
  CHECK(text.ends_with('\n'));
  for (const json& answer : lines_of(text)) CHECK(answer["verdict"] != "terminated");
  CHECK(run_batch(jobs, {"-o", results, "--resume"}).code == 0);
  check_complete(results);
}

TEST_CASE("the second Ctrl-C ends it at once") {
  REQUIRE_SANDBOX();
  Interactive batch({"batch", "-", "--quiet", "--timeout=10m"});
  REQUIRE(batch.write("{\"id\":1,\"source\":\"export default () => 1\"}\n"));
  REQUIRE(batch.read_line().has_value());
  REQUIRE(batch.write("{\"id\":2,\"source\":\"export default () => { for (;;) {} }\"}\n"));
  // The first is seen once standard input is read no more.
  ::kill(batch.pid(), SIGINT);
  while (batch.write("{}\n") && ::kill(batch.pid(), SIGINT) == 0) {
  }
  batch.close_input();
  const int code = batch.wait();
  CHECK((code == 130));
}
