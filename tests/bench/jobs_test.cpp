#include "benchmarks/load/jobs.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "benchmarks/load/programs.h"

using namespace cordon;
using namespace cordon::load;

namespace {

Outcome ended(Status status, const std::string& json = "") {
  Outcome outcome;
  outcome.status = status;
  if (status == Status::kOk) {
    outcome.result = Value::from_json(json);
  } else {
    outcome.error = OutcomeError{.name = "Error", .message = "so it was", .stack = ""};
  }
  return outcome;
}

const JobSettings kSettings{.round_trips = 3, .data_file = "/data"};

}  // namespace

TEST_CASE("every job but those of memory can be made, and no other") {
  for (const JobTitle& title : job_titles()) {
    if (title.name == kMemoryJob || title.name == kSpareMemoryJob) continue;
    CHECK_FALSE(make_job(title.name, kSettings).program.empty());
  }
  CHECK_THROWS_AS(make_job(kMemoryJob, kSettings), std::invalid_argument);
  CHECK_THROWS_AS(make_job("J", kSettings), std::invalid_argument);
}

TEST_CASE("a call counts only with the right result") {
  const Job job = make_job("J1", kSettings);
  CHECK(check_call(job, ended(Status::kOk, "42"), 1.5) == std::vector<double>{1.5});
  CHECK_THROWS_WITH(check_call(job, ended(Status::kOk, "43"), 1), "expected 42, got 43");
  CHECK_THROWS_WITH(check_call(job, ended(Status::kError), 1), "expected ok, got error: so it was");
}

TEST_CASE("an endless loop has to end by its limit") {
  const Job job = make_job("J5", kSettings);
  CHECK(check_call(job, ended(Status::kTimeout), 21) == std::vector<double>{21});
  CHECK_THROWS_AS(check_call(job, ended(Status::kOk, "null"), 21), WrongResult);
  CHECK_THROWS_AS(check_call(job, ended(Status::kCrashed), 21), WrongResult);
}

TEST_CASE("round trips bring their own samples") {
  const Job job = make_job("J2", kSettings);
  CHECK(check_call(job, ended(Status::kOk, R"(["hello",[1,2.5,3]])"), 9) ==
        std::vector<double>{1, 2.5, 3});
  CHECK_THROWS_AS(check_call(job, ended(Status::kOk, R"(["other",[1,2,3]])"), 9), WrongResult);
  CHECK_THROWS_AS(check_call(job, ended(Status::kOk, R"(["hello",[1]])"), 9), WrongResult);
}

TEST_CASE("a program with another number is another source of the same lines") {
  const std::string one = distinct_source(kAddOne, 1);
  const std::string two = distinct_source(kAddOne, 2);
  CHECK(one != two);
  CHECK(std::count(one.begin(), one.end(), '\n') == std::count(two.begin(), two.end(), '\n'));
  CHECK(one.ends_with(kAddOne));
}

TEST_CASE("the large argument is a list of one argument of about a megabyte") {
  const std::string json = large_argument();
  CHECK(json.size() > 990'000);
  CHECK(json.size() < 1'010'000);
  const auto parsed = nlohmann::json::parse(json);
  REQUIRE(parsed.size() == 1);
  CHECK(parsed[0].size() > 1000);
  CHECK(parsed[0][7]["name"] == "item 7");
  CHECK(nlohmann::json::parse(make_job("J6", kSettings).result) == parsed[0]);
}
