// What a service makes and reads is what the actors read and make.

#include <catch2/catch.hpp>

#include <cordon/actors.h>

using namespace cordon;

namespace {

constexpr std::chrono::sys_time<std::chrono::milliseconds> kClock{std::chrono::milliseconds(-5)};

}  // namespace

TEST_CASE("a call crosses as it is") {
  AISandboxOptions options;
  options.environment = {{"MODE", "test"}};
  options.resources.wall_clock_ms = 7;
  const Call call = read_call(make_call({.id = "order-1",
                                         .source = "export default 1",
                                         .arguments = Value::from_json(R"([{"a": 1}])"),
                                         .options = options,
                                         .entry = Entry::kScript,
                                         .source_name = "order.ts",
                                         .tenant = "ten\xC3\xA4nt",
                                         .tests = "check()",
                                         .assert_module = true,
                                         .seed = 7,
                                         .clock = kClock}));
  CHECK(call.id == "order-1");
  CHECK(call.source == "export default 1");
  CHECK(call.arguments.json() == R"([{"a": 1}])");
  CHECK(call.options.environment.at("MODE") == "test");
  CHECK(call.options.resources.wall_clock_ms == 7);
  CHECK(call.entry == Entry::kScript);
  CHECK(call.source_name == "order.ts");
  CHECK(call.tenant == "ten\xC3\xA4nt");
  CHECK(call.tests == "check()");
  CHECK(call.assert_module);
  CHECK(call.seed == 7U);
  CHECK(call.clock == kClock);
}

TEST_CASE("what a call leaves out is left out") {
  const Call call = read_call(make_call({}));
  CHECK_FALSE(call.tests.has_value());
  CHECK_FALSE(call.assert_module);
  CHECK_FALSE(call.seed.has_value());
  CHECK_FALSE(call.clock.has_value());
}

TEST_CASE("what is no call is refused when it is made") {
  CHECK_THROWS_AS(make_call({.arguments = Value::from_json("{}")}), std::invalid_argument);
  CHECK_THROWS_AS(make_call({.id = "a b"}), std::invalid_argument);
  CHECK(read_call(make_call({})).id != read_call(make_call({})).id);
}

TEST_CASE("an outcome crosses as it is, whatever its status") {
  for (auto status = Status::kOk; status <= Status::kAuditFailed;
       status = static_cast<Status>(static_cast<int>(status) + 1)) {
    Outcome outcome;
    outcome.status = status;
    outcome.sandbox = "order-1";
    outcome.console = "a\nb\n";
    outcome.console_truncated = true;
    outcome.usage = {.wall_ms = 1.5, .queue_ms = 2, .cpu_ms = 0.25, .operations = 3};
    if (status == Status::kOk) {
      outcome.result = Value::from_json(R"({"$num":"NaN"})");
    } else {
      outcome.error = OutcomeError{"TypeError", "no", "at main.ts:1:2", 1, 2, true};
      outcome.subprocess = SubprocessReport{{{"memory", "cgroup v1"}}, {{"cpu", "no controller"}}};
    }
    if (status == Status::kDenied) outcome.denial = OutcomeDenial{"network", "no", "https://a"};
    if (status == Status::kCrashed) outcome.signal = 11;
    const Outcome read = read_outcome(make_outcome(outcome));
    CHECK(read.status == status);
    CHECK(read.sandbox == "order-1");
    CHECK(read.result == outcome.result);
    CHECK(read.error.has_value() == outcome.error.has_value());
    if (read.error) {
      CHECK(read.error->stack == "at main.ts:1:2");
      CHECK(read.error->in_tests);
    }
    CHECK(read.subprocess.has_value() == outcome.subprocess.has_value());
    if (read.subprocess) {
      CHECK(read.subprocess->walls.at(0).mechanism == "cgroup v1");
      CHECK(read.subprocess->missing.at(0).name == "cpu");
    }
    CHECK(read.denial.has_value() == outcome.denial.has_value());
    if (read.denial) CHECK(read.denial->target == "https://a");
    CHECK(read.signal == outcome.signal);
    CHECK(read.console == "a\nb\n");
    CHECK(read.console_truncated);
    CHECK(read.usage.wall_ms == 1.5);
    CHECK(read.usage.cpu_ms == 0.25);
    CHECK(read.usage.operations == 3);
  }
}

TEST_CASE("leases, settlements and console lines cross as they are") {
  for (const char* function :
       {"environment", "secret", "readText", "writeText", "fetchText", "spawn"}) {
    const auto request = read_lease_request(make_lease_request({"call", "tenant", function}));
    CHECK(request.function == function);
    CHECK(request.tenant == "tenant");
  }
  CHECK_THROWS_AS(make_lease_request({"call", "tenant", "format"}), std::invalid_argument);
  const Lease refused = read_lease(make_lease({.serial = 3, .granted = false, .reason = "enough"}));
  CHECK_FALSE(refused.granted);
  CHECK(refused.reason == "enough");
  const auto settlement = read_settlement(make_settlement({"call", "tenant", 3}));
  CHECK(settlement.sandbox == "call");
  CHECK(settlement.serial == 3);
  const auto line = read_console_line(make_console_line({"warn", "careful", true}));
  CHECK(line.level == "warn");
  CHECK(line.text == "careful");
  CHECK(line.truncated);
}

TEST_CASE("an audit record becomes an event without a place") {
  SandboxAuditEvent event;
  event.sandbox = "call";
  event.capability = "resource.bytes";
  event.operation = "readText";
  event.target = "/a";
  event.outcome = SandboxAuditEvent::Outcome::kDenied;
  event.reason = "exceeds 3 bytes";
  event.duration_ms = 1.5;
  event.bytes = 4;
  const auto read = read_audit_record(make_audit_record(event));
  CHECK(read.capability == "resource.bytes");
  CHECK(read.operation == "readText");
  CHECK(read.target == "/a");
  CHECK(read.outcome == SandboxAuditEvent::Outcome::kDenied);
  CHECK(read.reason == "exceeds 3 bytes");
  CHECK(read.duration_ms == 1.5);
  CHECK(read.bytes == 4u);
  CHECK_FALSE(read.count);
  CHECK(read.seq == 0);
  CHECK(read.hash.empty());
}
