// A question about a trail: times as people type them, and what comes while it waits.

#include "cli/event_flags.h"

#include <CLI/CLI.hpp>

#include <catch2/catch.hpp>

#include "audit/audit_log.h"
#include "tests/audit/records.h"

using namespace cordon;

namespace {

constexpr std::int64_t kNow = 1'700'000'000'000;  // 2023-11-14T22:13:20Z

}  // namespace

TEST_CASE("Times are dates, days or ages") {
  CHECK(*parse_time("2023-11-14T22:13:20Z", 0) == kNow);
  CHECK(*parse_time("2023-11-14T22:13:20", 0) == kNow);
  CHECK(*parse_time("2023-11-14T22:13:20.5Z", 0) == kNow + 500);
  CHECK(*parse_time("2023-11-14T22:13:20.1234Z", 0) == kNow + 123);
  CHECK(*parse_time("2023-11-14", 0) == kNow - ((22 * 60 + 13) * 60 + 20) * 1000);
  CHECK(*parse_time("15m", kNow) == kNow - 15 * 60 * 1000);
  CHECK(*parse_time("500ms", kNow) == kNow - 500);
}

TEST_CASE("What is no time is refused") {
  for (const char* text :
       {"", "yesterday", "2023", "2023-13-01", "2023-11-14T22", "2023-11-14 22:13:20",
        "2023-11-14T22:13:20+01:00", "2023-11-14T22:13:20.", "2023-11-14T22:13:20.x", "-5m", "5"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_time(text, kNow).has_value());
  }
}

TEST_CASE("What came while it waited, in files later, is found without waiting again") {
  constexpr int kEvents = 20;
  const test::ScratchDirectory directory;
  const std::string file = directory / "log";
  const auto append = [&](int count) {
    auto log = AuditLog::open({.files = {file}, .rotation = {.bytes = 1000}, .writer = "w"});
    REQUIRE(log.has_value());
    for (int i = 0; i < count; ++i) {
      REQUIRE(log->append(test::record("filesystem.read", "/a")).has_value());
    }
  };
  append(1);
  CLI::App command;
  const EventFlags flags(command);
  command.parse(std::vector{file});
  int events = 0;
  int waits = 0;
  const auto on_event = [&](const SandboxAuditEvent&) { return ++events <= kEvents; };
  const auto on_end = [&] {
    append(kEvents);
    return ++waits == 1;
  };
  CHECK(flags.for_each(on_event, on_end) == 0);
  CHECK(events == 1 + kEvents);
  CHECK(waits == 1);
  CHECK(std::filesystem::exists(file + ".000002"));
}
