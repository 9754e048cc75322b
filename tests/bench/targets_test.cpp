#include "benchmarks/load/targets.h"

#include <catch2/catch.hpp>

#include <set>

using namespace cordon::load;

TEST_CASE("a stretch is never easier than its target, and figures differ") {
  std::set<std::string_view> figures;
  for (const Target& target : targets()) {
    CHECK(figures.insert(target.figure).second);
    CHECK(target.target > 0);
    if (target.better == Better::kLower) {
      CHECK(target.stretch <= target.target);
    } else {
      CHECK(target.stretch >= target.target);
    }
  }
}

TEST_CASE("a figure that has to be low is judged by its bounds") {
  const Target target{"x", "ms", Better::kLower, 2.2, 1.2};
  CHECK(judge_figure(target, 1.2) == Verdict::kStretch);
  CHECK(judge_figure(target, 1.21) == Verdict::kMet);
  CHECK(judge_figure(target, 2.2) == Verdict::kMet);
  CHECK(judge_figure(target, 2.21) == Verdict::kMissed);
}

TEST_CASE("a figure that has to be high is judged by its bounds") {
  const Target target{"x", "/s", Better::kHigher, 1000, 1800};
  CHECK(judge_figure(target, 999) == Verdict::kMissed);
  CHECK(judge_figure(target, 1000) == Verdict::kMet);
  CHECK(judge_figure(target, 1800) == Verdict::kStretch);
}

TEST_CASE("without a stretch a target is met or missed") {
  const Target target{"x", "times", Better::kHigher, 1.8, 1.8};
  CHECK(judge_figure(target, 1.9) == Verdict::kMet);
  CHECK(judge_figure(target, 1.7) == Verdict::kMissed);
}

TEST_CASE("what the machine was not up to is missed, whatever its figure") {
  const Target target{"x", "times", Better::kLower, 3, 3};
  CHECK(judge({&target, 2, {}, true}) == Verdict::kMet);
  CHECK(judge({.target = &target, .value = 2, .p99 = {}, .valid = false}) == Verdict::kMissed);
}
