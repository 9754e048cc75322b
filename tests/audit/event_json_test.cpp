#include "audit/event_json.h"

#include <catch2/catch.hpp>

#include <limits>

namespace cordon {
namespace {

const std::string kZeros(64, '0');

SandboxAuditEvent full_event() {
  SandboxAuditEvent event;
  event.seq = 7;
  event.sandbox = "c-1";
  event.timestamp = 1700000000123;
  event.capability = "resource.bytes";
  event.operation = "readText";
  event.target = "/data/\"a\\b\"";
  event.outcome = SandboxAuditEvent::Outcome::kDenied;
  event.reason = "exceeds 10 bytes";
  event.duration_ms = 1.25;
  event.bytes = 10;
  event.count = 3;
  event.prev = kZeros;
  event.hash = event_hash(event);
  return event;
}

std::string duration_in_line(double milliseconds) {
  SandboxAuditEvent event = full_event();
  event.duration_ms = milliseconds;
  const std::string line = to_json(event);
  const std::size_t start = line.find("durationMs\":") + 12;
  return line.substr(start, line.find(',', start) - start);
}

TEST_CASE("an event is one line with its members in the promised order") {
  const SandboxAuditEvent event = full_event();
  CHECK(to_json(event) ==
        R"({"v":1,"seq":7,"sandbox":"c-1","timestamp":1700000000123,"capability":"resource.bytes",)"
        R"("operation":"readText","target":"/data/\"a\\b\"","outcome":"denied",)"
        R"("reason":"exceeds 10 bytes","durationMs":1.25,"bytes":10,"count":3,"prev":")" +
            kZeros + R"(","hash":")" + event.hash + "\"}");
}

TEST_CASE("members that have no value are absent") {
  SandboxAuditEvent event;
  event.seq = 1;
  event.sandbox = "c";
  event.capability = "execute";
  event.prev = kZeros;
  event.hash = kZeros;
  CHECK(to_json(event) ==
        R"({"v":1,"seq":1,"sandbox":"c","timestamp":0,"capability":"execute","outcome":"used",)"
        R"("prev":")" +
            kZeros + R"(","hash":")" + kZeros + "\"}");
}

TEST_CASE("the hash is SHA-256 over the line without its hash member") {
  SandboxAuditEvent event;
  event.seq = 1;
  event.sandbox = "c";
  event.capability = "execute";
  event.prev = kZeros;
  // printf '{"v":1,"seq":1,...,"prev":"0…0"}' | sha256sum
  CHECK(event_hash(event) == "8510992348e9fd2918e6f00bae7812722016f13b8f430318f4715da0abdfa7eb");
}

TEST_CASE("durations have at most three decimals and no exponent") {
  CHECK(duration_in_line(0) == "0");
  CHECK(duration_in_line(-0.0) == "0");
  CHECK(duration_in_line(12) == "12");
  CHECK(duration_in_line(0.5) == "0.5");
  CHECK(duration_in_line(0.001) == "0.001");
  CHECK(duration_in_line(0.0004) == "0");
  CHECK(duration_in_line(1.0999) == "1.1");
  CHECK(duration_in_line(123456789.123) == "123456789.123");
  CHECK(duration_in_line(1e300) == "9000000000000");
  CHECK(duration_in_line(-5) == "0");
  CHECK(duration_in_line(std::numeric_limits<double>::quiet_NaN()) == "0");
}

TEST_CASE("no event can put a deceptive character into its line, as it stands or as an escape") {
  SandboxAuditEvent event = full_event();
  event.target =
      std::string("a\n\x1b[2J\0\x7f\xc2\x85\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6\xff", 20);
  const std::string line = to_json(event);
  CHECK(line.find(R"("target":"a\\u{a}\\u{1b}[2J\\u{0}\\u{7f}\\u{85}\\u{2028}\\u{202e}\\u{2066})"
                  "\uFFFD\"") != std::string::npos);
}

TEST_CASE("a line gives back its event") {
  SandboxAuditEvent event = full_event();
  SECTION("full") {}
  SECTION("sparse") {
    event.operation.reset();
    event.target.reset();
    event.reason.reset();
    event.duration_ms.reset();
    event.bytes.reset();
    event.count.reset();
  }
  SECTION("empty texts and large numbers") {
    event.target = "";
    event.seq = std::numeric_limits<std::uint64_t>::max();
    event.timestamp = std::numeric_limits<std::int64_t>::max();
    event.duration_ms = 8'999'999'999.999;
  }
  event.hash = event_hash(event);
  const auto parsed = parse_event(to_json(event));
  REQUIRE(parsed.has_value());
  CHECK(to_json(*parsed) == to_json(event));
  CHECK(event_hash(*parsed) == event.hash);
  CHECK(parsed->seq == event.seq);
  CHECK(parsed->target == event.target);
  CHECK(parsed->outcome == event.outcome);
  CHECK(parsed->duration_ms == event.duration_ms);
  CHECK(parsed->bytes == event.bytes);
}

TEST_CASE("a line in any other spelling is refused") {
  const std::string line = to_json(full_event());
  const auto replaced = [&line](const std::string& from, const std::string& to) {
    std::string changed = line;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    return changed.replace(at, from.size(), to);
  };
  REQUIRE(parse_event(line).has_value());
  const std::vector<std::string> bad = {
      "",
      "null",
      "[]",
      "{}",
      line + " ",
      " " + line,
      line + line,
      line.substr(0, line.size() - 1),
      "\xef\xbb\xbf" + line,
      replaced("{\"v\":1", "{\"v\":2"),
      replaced("{\"v\":1", "{\"v\":1.0"),
      replaced("\"seq\":7", "\"seq\": 7"),
      replaced("\"seq\":7", "\"seq\":7e0"),
      replaced("\"seq\":7", "\"seq\":-7"),
      replaced("\"seq\":7", "\"seq\":\"7\""),
      replaced("\"seq\":7", "\"seq\":7,\"seq\":7"),
      replaced("\"seq\":7", "\"seq\":99999999999999999999"),
      replaced("\"seq\":7", "\"seq\":7,\"extra\":1"),
      replaced("\"seq\":7,\"sandbox\":\"c-1\"", "\"sandbox\":\"c-1\",\"seq\":7"),
      replaced("\"sandbox\":\"c-1\",", ""),
      replaced("\"c-1\"", "\"\\u0063-1\""),
      replaced("\"c-1\"", "null"),
      replaced("\"c-1\"", "\"c\\u001b\""),
      replaced("\"c-1\"", "\"c\xe2\x80\xae\""),
      replaced("\"c-1\"", "\"c\xff\""),
      replaced("1700000000123", "9223372036854775808"),
      replaced("\"denied\"", "\"maybe\""),
      replaced("1.25", "1.250"),
      replaced("1.25", "-1.25"),
      replaced("1.25", "1e400"),
      replaced("1.25", "null"),
      replaced("\"bytes\":10", "\"bytes\":10.5"),
      replaced(kZeros, kZeros.substr(1)),
      replaced(kZeros, std::string(64, 'G')),
      replaced(kZeros, std::string(64, 'A')),
      std::string(kMaxLineBytes + 1, ' '),
      std::string(kMaxLineBytes, '['),
  };
  for (const auto& text : bad) {
    CAPTURE(text.substr(0, 200));
    CHECK_FALSE(parse_event(text).has_value());
  }
  CHECK(parse_event(replaced("\"denied\"", "\"maybe\"")).error() ==
        "member `outcome` is missing or not what it must be");
}

}  // namespace
}  // namespace cordon
