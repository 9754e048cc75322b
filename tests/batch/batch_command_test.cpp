// `cordon batch` end to end: lines, streams, limits, exit codes.

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "messages/unique_fd.h"
#include "tests/batch/support/batch.h"
#include "tests/batch/support/interactive.h"

using cordon::UniqueFd;
using namespace cordon::test;
using nlohmann::json;

namespace {

std::string module_job(const std::string& id, const std::string& body) {
  return json{{"id", id}, {"source", "export default () => { " + body + " }"}}.dump() + "\n";
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("every line is answered, whatever it is, and the rest goes on") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  std::string jobs = module_job("good", "return 1;");
  jobs += "{\"id\": \"broken\", \n";
  jobs += std::string("\0\xff\xfe\x01", 4) + "\n";
  jobs += "\n";
  jobs += "[1]\n";
  jobs += "{\"id\":\"nothing\"}\n";
  jobs += module_job("good", "return 2;");
  jobs += std::string(2000, '[') + "\n";
  jobs += "{\"id\":\"long\",\"source\":\"" + std::string(50'000'000, 'x') + "\"}\n";
  jobs += R"({"id":"more","source":"1","options":{"resources":{"wallClockMs":99999999}}})"
          "\n";
  jobs += R"({"id":7,"code":"export default () => 7","options":{"modules":{"a":"1"}}})"
          "\n";
  jobs += R"({"source":"export default () => 12"})";
  const Finished run = run_batch(directory.write("jobs.jsonl", jobs));
  INFO(run.err);
  CHECK(run.code == 0);
  const auto answers = lines_of(run.out);
  CHECK(answers.size() == 12);
  std::map<int, json> by_line;
  for (const json& answer : answers) by_line[answer["line"]] = answer;
  const auto problem = [&](int line) {
    return by_line[line]["error"]["message"].get<std::string>();
  };
  CHECK(by_line[1]["value"] == 1);
  CHECK(problem(2) == "the line is not JSON");
  CHECK(problem(3) == "the line is not UTF-8 text");
  CHECK(problem(4) == "the line is empty");
  CHECK(problem(5) == "the line is JSON but no object");
  CHECK(contains(problem(6), "source: missing"));
  CHECK(by_line[6]["id"] == "nothing");
  CHECK(problem(7) == "id: an earlier line has the same");
  CHECK(problem(8) == "the line is nested too deeply");
  CHECK(contains(problem(9), "longer than"));
  CHECK(contains(problem(10), "options.resources.wallClockMs"));
  CHECK(contains(problem(11), "options.modules"));
  CHECK(by_line[12]["value"] == 12);
  CHECK(by_line[12]["id"] == 12);
  for (const int line : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
    CHECK(by_line[line]["verdict"] == "invalid_job");
  }
}

TEST_CASE("each way to end has its verdict") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  const std::string jobs =
      module_job("passed", "return 1;") + module_job("error", "throw new Error('no');") +
      "{\"id\":\"compile_error\",\"source\":\"let let\"}\n" + module_job("timeout", "for (;;) {}") +
      module_job("out_of_memory", "const a = []; for (;;) a.push(new Array(1e5).fill(a.length));") +
      module_job("output_limit", "return 'x'.repeat(2000);") +
      "{\"id\":\"denied\",\"source\":\"import { environment } from "
      "'fino:ai/sandbox/capabilities'; export default () => environment('A')\"}\n" +
      "{\"id\":\"failed\",\"entry\":\"script\",\"source\":\"require('assert').equal(1, 2)\"}\n";
  const Answers answers =
      judge_file(directory.write("jobs.jsonl", jobs),
                 {"--module-assert", "--timeout=2s", "--memory=32M", "--max-result-bytes=1000"});
  CHECK(answers.size() == 8);
  for (const auto& [id, answer] : answers) {
    INFO(answer.dump());
    CHECK(answer["verdict"] == id);
    CHECK(answer["attempt"] == 1);
    CHECK(answer["usage"]["wallMs"].is_number());
    CHECK(answer["versions"]["cordon"].is_string());
  }
}

TEST_CASE("a stream is answered line by line, while more is to come") {
  REQUIRE_SANDBOX();
  Interactive batch({"batch", "-", "--quiet"});
  for (int i = 0; i < 5; ++i) {
    REQUIRE(batch.write(module_job(std::to_string(i), "return " + std::to_string(i) + ";")));
    const auto line = batch.read_line();
    REQUIRE(line.has_value());
    const json answer = json::parse(*line);
    CHECK(answer["id"] == std::to_string(i));
    CHECK(answer["value"] == i);
  }
  batch.close_input();
  CHECK_FALSE(batch.read_line().has_value());
  CHECK(batch.wait() == 0);
}

TEST_CASE("answers come though another reader takes the input away") {
  REQUIRE_SANDBOX();
  Interactive batch({"batch", "-", "--quiet"});
  const UniqueFd thief(::open(("/proc/" + std::to_string(batch.pid()) + "/fd/0").c_str(),
                              O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  REQUIRE(thief);
  for (int i = 0; i < 10; ++i) {
    const std::string id = std::to_string(i);
    REQUIRE(batch.write(
        module_job(id, "return new Promise((done) => setTimeout(() => done(1), 50));")));
    for (int unread = 1; unread > 0; std::this_thread::yield()) {
      REQUIRE(::ioctl(thief.get(), FIONREAD, &unread) == 0);
    }
    // What wakes the batch is gone again, or becomes the beginning of the next line.
    for (int k = 0; k < 200; ++k) {
      char byte = 0;
      REQUIRE(batch.write(" "));
      (void)!::read(thief.get(), &byte, 1);
    }
    const auto line = batch.read_line();
    REQUIRE(line.has_value());
    CHECK(json::parse(*line)["id"] == id);
  }
}

TEST_CASE("who does not read the answers is not sent more work than fits") {
  REQUIRE_SANDBOX();
  Interactive batch({"batch", "-", "-j2", "--quiet"});
  // Far more than pipes and queues hold, so a reader that reads nothing yet must not lose any.
  constexpr int kJobs = 600;
  const std::string padding(4000, 'p');
  std::thread writer([&] {
    for (int i = 0; i < kJobs; ++i) {
      if (!batch.write(module_job(std::to_string(i), "return '" + padding + "';"))) break;
    }
    batch.close_input();
  });
  std::map<std::string, int> seen;
  while (const auto line = batch.read_line()) ++seen[json::parse(*line)["id"]];
  writer.join();
  CHECK(seen.size() == kJobs);
  for (const auto& [id, count] : seen) CHECK(count == 1);
  CHECK(batch.wait() == 0);
}

TEST_CASE("a looping job does not hold up the others, and waiting is not charged to a job") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  std::string jobs = module_job("loop", "for (;;) {}");
  for (int i = 0; i < 20; ++i) jobs += module_job(std::to_string(i), "return 1;");
  const Finished run = run_batch(directory.write("jobs.jsonl", jobs), {"-j2", "--timeout=20s"});
  CHECK(run.code == 0);
  const auto answers = lines_of(run.out);
  REQUIRE(answers.size() == 21);
  CHECK(answers.back()["id"] == "loop");
  CHECK(answers.back()["verdict"] == "timeout");
  // Those behind it waited far less than it ran.
  for (const json& answer : answers) {
    CHECK(answer["usage"]["queueMs"].get<double>() < 15'000);
  }
}

TEST_CASE("completions of one task are counted as pass@k") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  std::string jobs;
  for (const char* body : {" return 4; }", " return 5; }", " return 4; }"}) {
    jobs += json{{"task_id", "t"},
                 {"prompt", "function f() {"},
                 {"completion", body},
                 {"tests", "if (f() !== 4) throw new Error('wrong');"}}
                .dump() +
            "\n";
  }
  const Finished run = run_cordon({"batch", directory.write("jobs.jsonl", jobs)});
  INFO(run.err);
  CHECK(run.code == 0);
  CHECK(contains(run.err, "pass@1"));
  CHECK(contains(run.err, "66.7%"));
  const Answers answers = by_id(lines_of(run.out));
  CHECK(answers.at("t")["verdict"] == "passed");
  CHECK(answers.at("t#2")["verdict"] == "error");
  CHECK(answers.at("t#3")["task_id"] == "t");
}

TEST_CASE("neither results nor the page are written over what they are made of") {
  const TemporaryDirectory directory;
  const std::string job = R"({"id":"a","source":"1","entry":"script"})";  // no line break
  const std::string jobs = directory.write("jobs.jsonl", job);
  const std::string notes = directory.write("notes.txt", "precious notes");
  for (const auto& flags :
       std::vector<std::vector<std::string>>{{"-o", jobs, "--resume"},
                                             {"--report=" + jobs},
                                             {"-o", notes, "--resume"},
                                             {"--audit=" + jobs},
                                             {"-o", "new.jsonl", "--audit=new.jsonl"},
                                             {"--report=new.html", "--audit=new.html"}}) {
    CHECK(run_batch(jobs, flags).code == 2);
  }
  CHECK_FALSE(std::filesystem::exists("new.jsonl"));
  CHECK(text_of(jobs) == job);
  CHECK(text_of(notes) == "precious notes");
}

TEST_CASE("a page that cannot be written is refused before anything runs") {
  const TemporaryDirectory directory;
  const std::string jobs = directory.write("jobs.jsonl", module_job("a", "return 1;"));
  const std::string page = directory.path() / "absent" / "page.html";
  const Finished run = run_batch(jobs, {"--report=" + page});
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(run.err == "cordon: --report " + page + ": No such file or directory\n");
}

TEST_CASE("the flags --fail-under, --report and --shard") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  const std::string jobs = directory.write(
      "jobs.jsonl", module_job("a", "return 1;") + module_job("<b>", "throw new Error('<i>');") +
                        module_job("c", "return 1;") + module_job("d", "return 1;"));
  const std::string page = (directory.path() / "page.html").string();
  CHECK(run_batch(jobs, {"--fail-under=75", "--report=" + page}).code == 0);
  CHECK(contains(text_of(page), "&lt;b&gt;"));
  CHECK(run_batch(jobs, {"--fail-under=76%"}).code == 1);
  const Answers odd = by_id(lines_of(run_batch(jobs, {"--shard=1/2"}).out));
  const Answers even = by_id(lines_of(run_batch(jobs, {"--shard=2/2"}).out));
  CHECK(odd.size() == 2);
  CHECK(odd.contains("a"));
  CHECK(even.contains("d"));
}

TEST_CASE("files are read by the command, and only files") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  directory.write("solve.ts", "export default () => 5;");
  const std::string there = directory.path().string();
  const std::string jobs = json{{"id", "file"}, {"file", there + "/solve.ts"}}.dump() + "\n" +
                           json{{"id", "none"}, {"file", there + "/none.ts"}}.dump() + "\n" +
                           json{{"id", "device"}, {"file", "/dev/zero"}}.dump() + "\n";
  const Answers answers = judge_file(directory.write("jobs.jsonl", jobs));
  CHECK(answers.at("file")["value"] == 5);
  CHECK(answers.at("none")["verdict"] == "invalid_job");
  CHECK(answers.at("device")["verdict"] == "invalid_job");
}

TEST_CASE("what cannot be used is refused before anything runs") {
  const TemporaryDirectory directory;
  const std::string jobs = directory.write("jobs.jsonl", "");
  const auto refused = [&](const std::vector<std::string>& flags, const std::string& reason) {
    const Finished run = run_batch(jobs, flags);
    INFO(run.err);
    CHECK(run.code == 2);
    CHECK(contains(run.err, reason));
  };
  refused({"-j0"}, "-j");
  refused({"--shard=3/2"}, "--shard");
  refused({"--seed=x"}, "--seed");
  refused({"--clock=yesterday"}, "--clock");
  refused({"--fail-under=101"}, "--fail-under");
  refused({"--retry=-1"}, "--retry");
  refused({"--resume"}, "--resume");
  refused({"-o" + directory.path().string()}, "-o");
  CHECK(run_batch(directory.path().string() + "/none").code == 2);
}

TEST_CASE("an empty input has no answers") {
  REQUIRE_SANDBOX();
  const TemporaryDirectory directory;
  const Finished run = run_cordon({"batch", directory.write("jobs.jsonl", "")});
  CHECK(run.code == 0);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "total"));
}
