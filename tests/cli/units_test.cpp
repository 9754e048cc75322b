#include "cli/units.h"

#include <catch2/catch.hpp>

using namespace cordon;

namespace {

template <class Parsed>
bool refused(const Parsed& parsed) {
  return !parsed && parsed.error().message.starts_with("expected a whole number");
}

template <class Parsed>
bool too_large(const Parsed& parsed) {
  return !parsed && parsed.error().message.starts_with("too large: at most 2^53 - 1");
}

}  // namespace

TEST_CASE("Durations are whole numbers with a unit") {
  CHECK(*parse_duration("20ms") == 20);
  CHECK(*parse_duration("30s") == 30'000);
  CHECK(*parse_duration("2m") == 120'000);
  CHECK(*parse_duration("1h") == 3'600'000);
  CHECK(*parse_duration("9007199254740991ms") == 9007199254740991);
  for (const char* text :
       {"", "0s", "0", "20", "ms", "-1s", "+1s", "1.5s", " 1s", "1s ", "1 s", "1S", "1d", "1ss",
        "0x1s", "1e3s", "99999999999999999999", "99999999999999999999d"}) {
    INFO(text);
    CHECK(refused(parse_duration(text)));
  }
  for (const char* text : {"9007199254740992ms", "9007199254741s", "99999999999999999999s"}) {
    INFO(text);
    CHECK(too_large(parse_duration(text)));
  }
}

TEST_CASE("Sizes are whole numbers with a unit, in powers of 1024") {
  CHECK(*parse_size("1B") == 1);
  CHECK(*parse_size("64K") == 65'536);
  CHECK(*parse_size("64KB") == 65'536);
  CHECK(*parse_size("64KiB") == 65'536);
  CHECK(*parse_size("256M") == 268'435'456);
  CHECK(*parse_size("256MiB") == 268'435'456);
  CHECK(*parse_size("1G") == 1'073'741'824);
  CHECK(*parse_size("1GB") == 1'073'741'824);
  for (const char* text : {"", "0M", "256", "M", "-1M", "1.5G", "1T", "1m", "1k", "1Mi", "1 M"}) {
    INFO(text);
    CHECK(refused(parse_size(text)));
  }
  for (const char* text : {"8388608G", "18446744073709551616B"}) {
    INFO(text);
    CHECK(too_large(parse_size(text)));
  }
}

TEST_CASE("Byte counts may leave the unit out") {
  CHECK(*parse_bytes("65536") == 65'536);
  CHECK(*parse_bytes("64K") == 65'536);
  for (const char* text : {"", "0", "-1", "1.0", "0x10", "64X"}) {
    INFO(text);
    CHECK(refused(parse_bytes(text)));
  }
  for (const char* text : {"9007199254740992", "8388608G"}) {
    INFO(text);
    CHECK(too_large(parse_bytes(text)));
  }
}

TEST_CASE("Counts have no unit") {
  CHECK(*parse_count("1") == 1);
  CHECK(*parse_count("9007199254740991") == 9007199254740991);
  for (const char* text : {"", "0", "1K", "-1", "1.0"}) {
    INFO(text);
    CHECK(refused(parse_count(text)));
  }
  for (const char* text : {"9007199254740992", "99999999999999999999"}) {
    INFO(text);
    CHECK(too_large(parse_count(text)));
  }
}
