// `cordon bench` end to end: what it prints is what it measured. No figure is judged.

#include <catch2/catch.hpp>

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/support/command.h"

using cordon::test::Finished;
using cordon::test::run_cordon;
using nlohmann::json;

TEST_CASE("Every job runs, and its figures are printed as JSON") {
  const Finished bench =
      run_cordon({"bench", "--json", "--calls=2", "--warm-up=1", "--sandboxes=3", "--trips=10"});
  if (bench.code == 3) {  // this word makes CTest report the test as skipped
    std::cout << "cordon-test-skipped: " << bench.err << std::endl;
    return;
  }
  INFO(bench.err);
  REQUIRE(bench.code == 0);
  std::set<std::string> names;
  const json report = json::parse(bench.out);
  for (const json& job : report.at("jobs")) {
    const std::string job_name = job.at("job");
    names.insert(job_name);
    const bool memory = job_name.starts_with("J4");
    CHECK(job.at("calls") == (memory ? 3 : 2));
    CHECK(job.at("samples") == (job_name == "J4"    ? 3
                                : job_name == "J4w" ? 1
                                : job_name == "J2"  ? 20
                                                    : 2));
    CHECK(job.at("p50") > 0);
    CHECK(job.at("max") >= job.at("p50"));
    CHECK(job.contains("cpuMsPerCall") != memory);
  }
  CHECK(names == std::set<std::string>{"J1", "J1w", "J2", "J3", "J4", "J4w", "J5", "J6", "J7"});
}

TEST_CASE("A job that is not known and a number that cannot be are usage errors") {
  const Finished job = run_cordon({"bench", "--jobs=J1,J9"});
  CHECK(job.code == 2);
  CHECK(job.err.find("no job J9") != std::string::npos);
  const Finished callers = run_cordon({"bench", "--callers=0"});
  CHECK(callers.code == 2);
  CHECK(callers.err.find("--callers=0") != std::string::npos);
}
