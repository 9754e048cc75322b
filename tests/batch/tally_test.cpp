#include "cli/batch/tally.h"

#include <catch2/catch.hpp>
#include <string>

#include "cli/batch/instant.h"
#include "cli/batch/progress.h"

using namespace cordon;
using namespace cordon::batch;

namespace {

PastResult result(Verdict verdict, double wall_ms, const std::string& task = {}) {
  PastResult past;
  past.id_json = "1";
  past.verdict = verdict;
  past.wall_ms = wall_ms;
  if (!task.empty()) past.task = task;
  return past;
}

}  // namespace

TEST_CASE("pass@k is the unbiased estimate, averaged over tasks") {
  Tally tally;
  for (const Verdict verdict :
       {Verdict::kPassed, Verdict::kFailed, Verdict::kError, Verdict::kPassed}) {
    tally.add(result(verdict, 1, "a"));
  }
  tally.add(result(Verdict::kFailed, 1, "b"));
  // Says nothing about the program.
  tally.add(result(Verdict::kSandboxError, 1, "b"));
  const auto at = tally.pass_at();
  REQUIRE(at.size() == 2);
  CHECK(at[0].k == 1);
  CHECK(at[0].tasks == 2);
  CHECK(at[0].percent == Approx(25));  // (2/4 + 0/1) / 2
  CHECK(at[1].k == 2);
  CHECK(at[1].tasks == 1);
  CHECK(at[1].percent == Approx(100 * (1 - 1.0 / 6)));  // 1 - C(2,2)/C(4,2)
}

TEST_CASE("the pass rate leaves out what is the host's fault") {
  Tally tally;
  CHECK(tally.pass_percent() == 100);
  tally.add(result(Verdict::kPassed, 1));
  tally.add(result(Verdict::kInvalidJob, 0));
  tally.add(result(Verdict::kSandboxError, 1));
  CHECK(tally.pass_percent() == 50);
  CHECK(tally.total() == 3);
}

TEST_CASE("quantiles lie within a bucket's width, the slowest are kept in order") {
  Tally tally;
  for (int i = 1; i <= 1000; ++i) tally.add(result(Verdict::kPassed, i));
  CHECK(tally.quantile_ms(0.5) == Approx(500).epsilon(0.13));
  CHECK(tally.quantile_ms(0.99) == Approx(990).epsilon(0.13));
  REQUIRE(tally.slowest().size() == Tally::kMaxSlowest);
  CHECK(tally.slowest().front().wall_ms == 1000);
  CHECK(tally.slowest().back().wall_ms == 981);
  CHECK(tally.unsuccessful().empty());
}

TEST_CASE("no more than so many unsuccessful results are kept") {
  Tally tally;
  for (int i = 0; i < 2000; ++i) tally.add(result(Verdict::kFailed, 1));
  CHECK(tally.unsuccessful().size() == Tally::kMaxUnsuccessful);
  CHECK(tally.count(Verdict::kFailed) == 2000);
}

TEST_CASE("the table has what occurred, and colours only when asked") {
  Tally tally;
  tally.add(result(Verdict::kPassed, 3, "t"));
  tally.add(result(Verdict::kTimeout, 30));
  const std::string plain = summary_table(tally, 2, 4, false);
  CHECK(plain.find("passed") != std::string::npos);
  CHECK(plain.find("50.0%") != std::string::npos);
  CHECK(plain.find("timeout") != std::string::npos);
  CHECK(plain.find("crashed") == std::string::npos);
  CHECK(plain.find("pass@1") != std::string::npos);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(summary_table(tally, 2, 4, true).find('\x1b') != std::string::npos);
}

TEST_CASE("verdicts have names, and names verdicts") {
  for (const Verdict verdict : kVerdicts) CHECK(verdict_of(to_string(verdict)) == verdict);
  CHECK_FALSE(verdict_of("great").has_value());
}

TEST_CASE("instants") {
  const auto ms = [](std::string_view text) -> std::optional<std::int64_t> {
    const auto instant = parse_instant(text);
    if (!instant) return std::nullopt;
    return instant->time_since_epoch().count();
  };
  CHECK(ms("1970-01-01") == 0);
  CHECK(ms("1970-01-02T01:02Z") == 90'120'000);
  CHECK(ms("1970-01-01T00:00:01.250Z") == 1250);
  CHECK(ms("2024-02-29T00:00:00Z") == 1'709'164'800'000);
  CHECK(ms("-5") == -5);
  for (const char* text :
       {"", "today", "2023-02-29", "2024-1-01", "2024-01-01T00:00", "8640000000000001",
        "2024-01-01T24:00Z", "2024-01-01T00:00:00.5Z", "2024-01-01T00:00Zz"}) {
    INFO(text);
    CHECK_FALSE(ms(text).has_value());
  }
}
