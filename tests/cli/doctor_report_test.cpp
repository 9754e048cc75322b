// What the doctor makes of attempts, and prints.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/doctor/doctor_report.h"

using namespace cordon::doctor;
using Catch::Matchers::Contains;

TEST_CASE("A mechanism holds when every attempt was stopped, and only then") {
  Finding held;
  Attempts good;
  good.add("open", "stopped EACCES\n", "");
  good.add("fork", "", "SIGSYS");
  good.add("create", "stopped EACCES", "");
  good.conclude(held);
  CHECK(held.state == State::kHeld);
  CHECK(held.tried == "open, fork, create");
  CHECK(held.detail == "EACCES, SIGSYS");

  for (const auto& line : {"reached it succeeded", "", "stoppedEACCES", "garbage"}) {
    INFO(line);
    Finding broken;
    Attempts bad;
    bad.add("open", "stopped EACCES", "");
    bad.add("fork", line, "");
    bad.conclude(broken);
    CHECK(broken.state == State::kBroken);
    CHECK_THAT(broken.detail, Contains("fork: "));
    CHECK_FALSE(broken.remedy.empty());
  }
  Finding nothing;
  Attempts().conclude(nothing);
  CHECK(nothing.state == State::kNotTried);
}

TEST_CASE("What is optional does not count, anything else that does not hold does") {
  const auto with = [](State state, bool required) {
    return Findings{{.group = "alone", .name = "a", .state = State::kHeld},
                    {.group = "command", .name = "b", .state = state, .required = required}};
  };
  CHECK(all_hold(with(State::kHeld, true)));
  CHECK(all_hold(with(State::kMissing, false)));
  for (const State state : {State::kBroken, State::kMissing, State::kNotTried}) {
    CHECK_FALSE(all_hold(with(state, true)));
  }
}

TEST_CASE("Table and JSON show results, remedies and the verdict") {
  const Findings findings{{.group = "alone",
                           .name = "landlock read",
                           .tried = "open a file",
                           .state = State::kMissing,
                           .mechanism = "landlock",
                           .detail = "no \x1b[31msuch call",
                           .remedy = "use a newer kernel"},
                          {.group = "command",
                           .name = "memory over the tree",
                           .tried = "memory",
                           .state = State::kHeld,
                           .required = false,
                           .mechanism = "cgroup v1",
                           .detail = "resource.memory"}};
  const std::string table = report_table(findings);
  CHECK_THAT(table, Contains("missing  alone   landlock read"));
  CHECK_THAT(table, Contains("memory over the tree (optional)") && Contains("[cgroup v1]"));
  CHECK_THAT(table, Contains("Remedies\nalone, landlock read: use a newer kernel\n"));
  CHECK_THAT(table, Contains("Not to be relied on: 1 of what is required does not hold."));
  CHECK_THAT(table, !Contains("\x1b"));
  const auto json = nlohmann::json::parse(report_json(findings));
  CHECK(json["v"] == 1);
  CHECK(json["holds"] == false);
  CHECK(json["mechanisms"][0]["remedy"] == "use a newer kernel");
  CHECK(json["mechanisms"][1]["result"] == "held");
  CHECK_FALSE(json["mechanisms"][1].contains("remedy"));
}
