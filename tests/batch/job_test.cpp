#include "cli/batch/job.h"

#include <catch2/catch.hpp>
#include <string>

using namespace cordon;
using namespace cordon::batch;

namespace {

std::variant<Job, InvalidJob> read(const std::string& text) {
  static const JobGrants grants{AISandboxOptions{}};
  return read_job({.number = 9, .text = text, .bytes = text.size(), .too_long = false}, grants);
}

Job job(const std::string& text) {
  auto read_one = read(text);
  if (const auto* invalid = std::get_if<InvalidJob>(&read_one)) FAIL(invalid->message);
  return std::get<Job>(std::move(read_one));
}

std::string problem(const std::string& text) {
  auto read_one = read(text);
  REQUIRE(std::holds_alternative<InvalidJob>(read_one));
  return std::get<InvalidJob>(read_one).message;
}

}  // namespace

TEST_CASE("a job's fields") {
  const Job full = job(R"({"id":"a","source":"s","entry":"module","args":[1,{"$num":"NaN"}],)"
                       R"("expected":null,"tests":"t","unknown":1})");
  CHECK(full.identity.id_json == "\"a\"");
  CHECK(full.identity.line == 9);
  CHECK(full.source == "s");
  CHECK(full.entry == ProgramOptions::Entry::kModule);
  CHECK(full.arguments.json() == R"([1,{"$num":"NaN"}])");
  CHECK(full.expected->is_null());
  CHECK(*full.tests == "t");
  CHECK_FALSE(full.options);
}

TEST_CASE("entry is module by itself, script with tests or a completion") {
  CHECK(job(R"({"source":"s"})").entry == ProgramOptions::Entry::kModule);
  CHECK(job(R"({"source":"s","tests":"t"})").entry == ProgramOptions::Entry::kScript);
  CHECK(job(R"({"prompt":"p","completion":"c"})").entry == ProgramOptions::Entry::kScript);
  CHECK(job(R"({"source":"s","entry":"script"})").entry == ProgramOptions::Entry::kScript);
}

TEST_CASE("other names of fields") {
  CHECK(job(R"({"code":"c"})").source == "c");
  CHECK(job(R"({"prompt":"p","completion":"c"})").source == "pc");
  CHECK(job(R"({"completion":"c"})").source == "c");
  CHECK(*job(R"({"task_id":"HumanEval/1","code":"c"})").identity.task == "HumanEval/1");
  CHECK(*job(R"({"task_id":5,"code":"c"})").identity.task == "5");
  CHECK(job(R"({"id":12345678901234567890,"code":"c"})").identity.id_json ==
        "12345678901234567890");
}

TEST_CASE("a field that is null or given twice is no field left out") {
  CHECK(problem(R"({"source":"s","tests":null})") == "tests: must not be null; leave it out");
  CHECK(problem(R"({"id":null,"source":"s"})") == "id: must not be null; leave it out");
  CHECK(problem(R"({"source":"s","tests":"t","tests":""})") == "tests: is given twice");
  CHECK(
      problem(R"({"source":"s","options":{"resources":{"maxOperations":1,"maxOperations":2}}})") ==
      "maxOperations: is given twice");
}

TEST_CASE("arguments are handed on as they are written") {
  const std::string args = R"([{"b":1,"a":-0}, 1e999, "\ud800", 12345678901234567890123])";
  CHECK(job(R"({"source":"s","args":)" + args + " }").arguments.json() == args);
  CHECK(problem(R"({"source":"s","args":[{"a":1,"a":2}]})") == "a: is given twice");
  CHECK(problem(R"({"source":"s","args":["\x"]})") == "the line is not JSON");
  CHECK(problem("{\"source\":\"s\",\"args\":[\"\xff\"]}") == "the line is not UTF-8 text");
}

TEST_CASE("what is no job says why") {
  CHECK(problem("") == "the line is empty");
  CHECK(problem("{") == "the line is not JSON");
  CHECK(problem("\"text\"") == "the line is JSON but no object");
  CHECK(problem("\xff{}") == "the line is not UTF-8 text");
  CHECK(problem(R"({"source":"\ud800"})") == "the line is not JSON");
  CHECK(problem("{\"a\":" + std::string(100'000, '[')) == "the line is nested too deeply");
  CHECK(problem("{}").starts_with("source: missing"));
  CHECK(problem(R"({"source":"a","code":"b"})").starts_with("source: only one"));
  CHECK(problem(R"({"source":1})") == "source: must be a string");
  CHECK(problem(R"({"source":"a","id":true})") == "id: must be a string or a number");
  CHECK(problem(R"({"source":"a","id":{}})") == "id: must be a string or a number");
  CHECK(problem(R"({"source":"a","id":")" + std::string(2000, 'x') + "\"}")
            .starts_with("id: is longer"));
  CHECK(problem(R"({"source":"a","entry":"main"})").starts_with("entry: "));
  CHECK(problem(R"({"source":"a","args":1})") == "args: must be an array");
  CHECK(problem(R"({"source":"a","args":[],"entry":"script"})").starts_with("args: "));
  CHECK(problem(R"({"source":"a","expected":1,"tests":""})").starts_with("expected: "));
  CHECK(problem(R"({"source":"a","tests":[]})") == "tests: must be a string");
  CHECK(problem(R"({"source":"a","options":[]})") == "options: must be an object");
  CHECK(problem(R"({"file":"/dev/zero"})").starts_with("file: "));
  CHECK(problem(R"({"file":"/"})").starts_with("file: "));
}

TEST_CASE("the id of a line that is no job is kept when it can be read") {
  const auto read_one = read(R"({"id":"x"})");
  CHECK(std::get<InvalidJob>(read_one).identity.id_json == "\"x\"");
}

TEST_CASE("brackets in strings do not nest") {
  CHECK(job(R"({"source":")" + std::string(5000, '[') + R"(\"[","id":1})").identity.id_json == "1");
}
