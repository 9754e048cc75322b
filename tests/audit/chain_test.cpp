#include "audit/chain.h"

#include <catch2/catch.hpp>

#include "audit/event_json.h"
#include "audit/visible_text.h"
#include "tests/audit/records.h"

namespace cordon {
namespace {

using test::Record;

TEST_CASE("an event takes its place behind the head") {
  const auto first = next_event(*test::record("environment", "MODE").read(), {}, 1000);
  CHECK(first.seq == 1);
  CHECK(first.prev == std::string(64, '0'));
  CHECK(first.timestamp == 1000);
  CHECK(first.target == "MODE");
  CHECK(first.duration_ms == 1.25);
  CHECK_FALSE(first.bytes);
  CHECK_FALSE(first.count);
  CHECK_FALSE(first.operation);
  CHECK_FALSE(first.reason);
  CHECK_FALSE(chain_fault(first, {}));

  const auto second = next_event(*test::record("execute").read(), head_after(first), 1001);
  CHECK(second.seq == 2);
  CHECK(second.prev == first.hash);
  CHECK_FALSE(second.target);
  CHECK_FALSE(chain_fault(second, head_after(first)));
}

TEST_CASE("every member of a record arrives") {
  const auto full = Record::build([](wire::AuditRecord::Builder builder) {
    builder.setSandbox("c-9");
    builder.setCapability("resource.bytes");
    builder.setOperation("readText");
    builder.setTarget("");
    builder.setOutcome(wire::AuditOutcome::ERROR);
    builder.setReason("why");
    builder.setDurationUs(0);
    builder.setBytes(0);
    builder.setCount(12);
  });
  const auto event = next_event(*full.read(), {}, 5);
  CHECK(event.sandbox == "c-9");
  CHECK(event.capability == "resource.bytes");
  CHECK(event.operation == "readText");
  CHECK(event.target == "");
  CHECK(event.outcome == SandboxAuditEvent::Outcome::kError);
  CHECK(event.reason == "why");
  CHECK(event.duration_ms == 0.0);
  CHECK(event.bytes == 0u);
  CHECK(event.count == 12u);
}

TEST_CASE("time never runs backwards") {
  const auto first = next_event(*test::record("environment").read(), {}, 5000);
  const auto second = next_event(*test::record("environment").read(), head_after(first), 4000);
  CHECK(second.timestamp == 5000);
  CHECK(next_event(*test::record("execute").read(), {}, -7).timestamp == 0);
}

TEST_CASE("a careless sender's text is made visible and capped") {
  const std::string hostile = "X\n{\"capability\":\"secret\"}" + std::string(5000, 'x');
  const auto event = next_event(*test::record("environment", hostile.c_str()).read(), {}, 1);
  CHECK(event.target->substr(0, 6) == "X\\u{a}");
  CHECK(event.target->size() == kMaxFieldBytes);
  const auto parsed = parse_event(to_json(event));
  REQUIRE(parsed.has_value());
  CHECK(parsed->target == event.target);
}

TEST_CASE("each fault in a chain is named") {
  const auto first = next_event(*test::record("environment").read(), {}, 5000);
  const ChainHead head = head_after(first);
  auto event = next_event(*test::record("execute").read(), head, 5001);
  REQUIRE_FALSE(chain_fault(event, head));
  SECTION("changed") {
    event.outcome = SandboxAuditEvent::Outcome::kDenied;
    CHECK(chain_fault(event, head) == ChainFault::kHash);
  }
  SECTION("out of sequence") {
    CHECK(chain_fault(event, {}) == ChainFault::kSequence);
    CHECK(chain_fault(event, head_after(event)) == ChainFault::kSequence);
  }
  SECTION("another predecessor") {
    const ChainHead other{1, 5000, std::string(64, 'a')};
    CHECK(chain_fault(event, other) == ChainFault::kPrev);
  }
  SECTION("time") {
    event.timestamp = 4999;
    event.hash = event_hash(event);
    CHECK(chain_fault(event, head) == ChainFault::kTime);
  }
}

}  // namespace
}  // namespace cordon
