#include "benchmarks/load/jobs.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "benchmarks/load/programs.h"
#include "benchmarks/load/workload.h"

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
  if (status == Status::kTimeout || status == Status::kDenied) {
    outcome.denial = OutcomeDenial{.capability = json, .message = "", .target = {}};
  }
  return outcome;
}

const JobSettings kSettings{.round_trips = 3, .data_file = "/data"};

}  // namespace

TEST_CASE("every job but those of memory can be called in a loop, and no other") {
  for (const JobTitle& title : job_titles()) {
    if (!calls_in_a_loop(title.name)) {
      CHECK_THROWS_AS(make_workload(title.name, kSettings), std::invalid_argument);
      continue;
    }
    for (const auto& kind : make_workload(title.name, kSettings).kinds) {
      CHECK_FALSE(kind.job.program.empty());
    }
  }
  CHECK_THROWS_AS(make_job("J", kSettings), std::invalid_argument);
}

TEST_CASE("a call counts only with the right result") {
  const Job job = make_job("J1", kSettings);
  CHECK(check_call(job, ended(Status::kOk, "42")).empty());
  CHECK_THROWS_WITH(check_call(job, ended(Status::kOk, "43")), "expected 42, got 43");
  CHECK_THROWS_WITH(check_call(job, ended(Status::kError)), "expected ok, got error: so it was");
}

TEST_CASE("an endless loop has to end by its limit") {
  const Job job = make_job("J5", kSettings);
  CHECK(check_call(job, ended(Status::kTimeout, "resource.wallClock")).empty());
  CHECK_THROWS_AS(check_call(job, ended(Status::kTimeout, "resource.cpu")), WrongResult);
  CHECK_THROWS_AS(check_call(job, ended(Status::kOk, "null")), WrongResult);
  CHECK_THROWS_AS(check_call(job, ended(Status::kCrashed)), WrongResult);
}

TEST_CASE("a denial has to be that of the right capability") {
  const Job job = make_denial();
  CHECK(check_call(job, ended(Status::kDenied, "environment")).empty());
  CHECK_THROWS_WITH(check_call(job, ended(Status::kDenied, "network")),
                    "expected environment, got network");
  CHECK_THROWS_AS(check_call(job, ended(Status::kOk, "\"value\"")), WrongResult);
}

TEST_CASE("round trips bring their own samples") {
  const Workload j2 = make_workload("J2", kSettings);
  CHECK(judge(j2, 0, ended(Status::kOk, R"(["hello",[1,2.5,3]])"), 9).samples ==
        std::vector<double>{1, 2.5, 3});
  CHECK(j2.unit() == "µs");
  CHECK_THROWS_AS(judge(j2, 0, ended(Status::kOk, R"(["other",[1,2,3]])"), 9), WrongResult);
  CHECK_THROWS_AS(judge(j2, 0, ended(Status::kOk, R"(["hello",[1]])"), 9), WrongResult);
}

TEST_CASE("any other call is one sample: the time that it took") {
  const Workload j1 = make_workload("J1", kSettings);
  CHECK(judge(j1, 5, ended(Status::kOk, "42"), 1.5).samples == std::vector<double>{1.5});
}

TEST_CASE("the mix is the documented blend, each kind checked by its own rule") {
  const Workload mix = make_workload("mix", kSettings);
  std::map<std::string, int> counts;
  for (std::uint64_t number = 100; number < 120; ++number) {
    ++counts[mix.kinds[mix.kind_of(number)].name];
  }
  CHECK(counts ==
        std::map<std::string, int>{
            {"J1", 8}, {"J2", 4}, {"J5", 1}, {"J6", 1}, {"J7", 2}, {"short J3", 2}, {"denied", 2}});
  CHECK(mix.unit() == "ms");
  const auto number_of = [&](const std::string& kind) {
    std::uint64_t number = 0;
    while (mix.kinds[mix.kind_of(number)].name != kind) ++number;
    return number;
  };
  const CallResult denied =
      judge(mix, number_of("denied"), ended(Status::kDenied, "environment"), 2);
  CHECK(mix.kinds[denied.kind].name == "denied");
  CHECK(denied.samples == std::vector<double>{2});
  CHECK_THROWS_AS(judge(mix, number_of("J1"), ended(Status::kDenied, "environment"), 2),
                  WrongResult);
  // A call of several round trips is one sample here.
  const std::string trips = R"(["hello",[1,2,3,4,5,6,7,8,9,10]])";
  CHECK(judge(mix, number_of("J2"), ended(Status::kOk, trips), 7).samples ==
        std::vector<double>{7});
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
