// Times as people type them for a question about a trail.

#include "cli/event_flags.h"

#include <catch2/catch.hpp>

using cordon::parse_time;

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
