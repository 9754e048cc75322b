#include "actors/metrics_registry.h"

#include <catch2/catch.hpp>

#include <cordon/actors.h>

#include "tests/actors/fakes.h"

using namespace cordon;
using Catch::Matchers::Contains;

namespace {

OutcomeMessage ended(Status status, double wall_ms) {
  Outcome outcome;
  outcome.status = status;
  outcome.usage = {.wall_ms = wall_ms, .cpu_ms = 1, .bytes_in = 10, .bytes_out = 20};
  return make_outcome(outcome);
}

SandboxAuditEvent event(const char* capability, SandboxAuditEvent::Outcome outcome) {
  SandboxAuditEvent event;
  event.capability = capability;
  event.outcome = outcome;
  return event;
}

}  // namespace

TEST_CASE("calls are counted by status and by how long they took") {
  MetricsRegistry registry;
  registry.call_ended(ended(Status::kOk, 1));
  registry.call_ended(ended(Status::kTimeout, 1.5));
  registry.call_ended(ended(Status::kTimeout, 1e9));
  registry.call_refused(ActorError::kBusy);
  const Metrics metrics = registry.snapshot();
  CHECK(metrics.calls.size() == 12);
  CHECK(metrics.calls.at("ok") == 1);
  CHECK(metrics.calls.at("timeout") == 2);
  CHECK(metrics.calls.at("crashed") == 0);
  CHECK(metrics.refused_calls == std::map<std::string, std::uint64_t>{{"busy", 1}});
  CHECK(metrics.bytes_out == 60);
  const Histogram& wall = metrics.call_seconds;
  REQUIRE(wall.counts.size() == wall.bounds.size() + 1);
  CHECK(wall.bounds[1] == 0.001);
  CHECK(wall.counts[1] == 1);  // a bound holds what is equal to it
  CHECK(wall.counts[2] == 1);
  CHECK(wall.counts.back() == 1);
  CHECK(wall.count == 3);
}

TEST_CASE("operations and denials are counted by capability, once each") {
  using Of = SandboxAuditEvent::Outcome;
  MetricsRegistry registry;
  registry.event(event("environment", Of::kUsed));
  registry.event(event("filesystem.read", Of::kError));
  registry.event(event("filesystem.read", Of::kDenied));
  registry.event(event("resource.operations", Of::kDenied));
  auto end = event("execute", Of::kDenied);
  end.count = 4;
  registry.event(end);
  const Metrics metrics = registry.snapshot();
  using Counts = std::map<std::string, std::uint64_t>;
  CHECK(metrics.operations == Counts{{"environment", 1}, {"filesystem.read", 1}});
  CHECK(metrics.denials == Counts{{"filesystem.read", 1}, {"resource.operations", 5}});
}

TEST_CASE("a child counts for as long as it lives") {
  MetricsRegistry registry;
  test::FakeChildren children;
  CountedChildren counted(children, registry);
  std::shared_ptr<Child> child;
  bool refused = false;
  counted.acquire([&](auto result) { child = *result; });
  counted.acquire([&](auto result) { refused = !result; });
  const auto alive = children.give()->alive_;
  children.refuse({"landlock", "not supported", ""});
  CHECK(refused);
  CHECK(registry.snapshot().children_alive == 1);
  child.reset();
  CHECK_FALSE(*alive);
  CHECK(registry.snapshot().children_alive == 0);
}

TEST_CASE("the Prometheus text has a type for each name, and histograms that add up") {
  MetricsRegistry registry;
  registry.call_ended(ended(Status::kOk, 1));
  registry.call_ended(ended(Status::kOk, 1e9));
  const auto running = registry.running_call();
  const std::string text = to_prometheus(registry.snapshot());
  CHECK_THAT(text, Contains("# TYPE cordon_calls_total counter\n"));
  CHECK_THAT(text, Contains("cordon_calls_total{status=\"ok\"} 2\n"));
  CHECK_THAT(text, Contains("cordon_calls_total{status=\"out_of_memory\"} 0\n"));
  CHECK_THAT(text, Contains("# TYPE cordon_call_seconds histogram\n"));
  CHECK_THAT(text, Contains("cordon_call_seconds_bucket{le=\"0.0005\"} 0\n"));
  CHECK_THAT(text, Contains("cordon_call_seconds_bucket{le=\"0.001\"} 1\n"));
  CHECK_THAT(text, Contains("cordon_call_seconds_bucket{le=\"60\"} 1\n"));
  CHECK_THAT(text, Contains("cordon_call_seconds_bucket{le=\"+Inf\"} 2\n"));
  CHECK_THAT(text, Contains("cordon_call_seconds_count 2\n"));
  CHECK_THAT(text, Contains("# TYPE cordon_running_calls gauge\ncordon_running_calls 1\n"));
  CHECK(text.back() == '\n');
}
