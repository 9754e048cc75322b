// Questions about events: which, how many, what they would need, and in the words of others.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "audit/event_export.h"
#include "audit/event_filter.h"
#include "audit/event_statistics.h"
#include "audit/grant_suggestion.h"

namespace cordon {
namespace {

using Outcome = SandboxAuditEvent::Outcome;
using nlohmann::json;

SandboxAuditEvent event(const char* capability, const char* target = nullptr,
                        Outcome outcome = Outcome::kUsed, const char* reason = nullptr) {
  SandboxAuditEvent made;
  made.seq = 7;
  made.sandbox = "c-1";
  made.timestamp = 1'700'000'000'123;
  made.capability = capability;
  if (target != nullptr) made.target = target;
  made.outcome = outcome;
  if (reason != nullptr) made.reason = reason;
  made.prev = std::string(64, '0');
  made.hash = std::string(64, 'a');
  return made;
}

TEST_CASE("a filter without conditions takes every event but the log's own records") {
  CHECK(EventFilter{}.matches(event("secret")));
  CHECK_FALSE(EventFilter{}.matches(event("audit")));
  CHECK(EventFilter{.log_records = true}.matches(event("audit")));
}

TEST_CASE("conditions of a filter") {
  const auto read = event("filesystem.read", "/srv/data/a.txt");
  CHECK(EventFilter{.capabilities = {"filesystem.*"}}.matches(read));
  CHECK(EventFilter{.capabilities = {"secret", "filesystem.read"}}.matches(read));
  CHECK_FALSE(EventFilter{.capabilities = {"filesystem"}}.matches(read));
  CHECK(EventFilter{.targets = {"/srv/*.txt"}}.matches(read));
  CHECK_FALSE(EventFilter{.targets = {"/srv"}}.matches(read));
  CHECK_FALSE(EventFilter{.targets = {"*"}}.matches(event("execute")));
  CHECK(EventFilter{.outcomes = {Outcome::kDenied, Outcome::kUsed}}.matches(read));
  CHECK_FALSE(EventFilter{.outcomes = {Outcome::kDenied}}.matches(read));
  CHECK(EventFilter{.sandboxes = {"c-1"}}.matches(read));
  CHECK_FALSE(EventFilter{.sandboxes = {"c-2"}}.matches(read));
  CHECK(EventFilter{.since = read.timestamp, .until = read.timestamp + 1}.matches(read));
  CHECK_FALSE(EventFilter{.since = read.timestamp + 1}.matches(read));
  CHECK_FALSE(EventFilter{.until = read.timestamp}.matches(read));
}

TEST_CASE("statistics count outcomes and order durations") {
  EventStatistics statistics;
  for (int i = 1; i <= 100; ++i) {
    auto timed = event("secret", "A", i % 10 == 0 ? Outcome::kDenied : Outcome::kUsed);
    timed.duration_ms = 101 - i;
    timed.bytes = 2;
    statistics.add(timed);
  }
  statistics.add(event("network", "http://a", Outcome::kError));
  const auto& all = statistics.finish();
  REQUIRE(all.size() == 2);
  const auto& secret = all.at("secret");
  CHECK(secret.events() == 100);
  CHECK(secret.used == 90);
  CHECK(secret.denied == 10);
  CHECK(secret.bytes == 200);
  CHECK(secret.percentile_ms(0.5) == 50);
  CHECK(secret.percentile_ms(0.99) == 99);
  CHECK(secret.percentile_ms(1) == 100);
  CHECK(secret.percentile_ms(0) == 1);
  CHECK(all.at("network").error == 1);
  CHECK(all.at("network").percentile_ms(0.5) == 0);
}

TEST_CASE("a suggestion names what exists, without what is covered already") {
  using Denied = GrantSuggestion::Denied;
  GrantSuggestion suggestion(Denied::kStays);
  suggestion.add(event("filesystem.read", "/"));
  suggestion.add(event("filesystem.read", "/etc"));
  suggestion.add(event("filesystem.write", "/no/such/directory/file"));
  suggestion.add(event("filesystem.write", "/etc/no/such/file", Outcome::kError, "no such file"));
  const json policy = json::parse(suggestion.finish().policy);
  CHECK(policy["filesystem"] == json({{"read", {"/"}}, {"write", {"/"}}}));
  CHECK(json::parse(GrantSuggestion(Denied::kStays).finish().policy) == json::object());
}

TEST_CASE("a suggestion does not guess what the log does not hold") {
  GrantSuggestion suggestion(GrantSuggestion::Denied::kIsAllowed);
  suggestion.add(
      event("environment", "A_[redacted]", Outcome::kDenied, "name is not in environment"));
  suggestion.add(
      event("environment", "A\\u{202e}", Outcome::kDenied, "name is not in environment"));
  suggestion.add(
      event("network", "http://a", Outcome::kDenied, "method is not in network.methods"));
  const auto grants = suggestion.finish();
  const json policy = json::parse(grants.policy);
  CHECK(policy.size() == 1);
  CHECK(policy["resources"]["maxOperations"] == 3);
  REQUIRE(grants.notes.size() == 2);
  CHECK(grants.notes[0].find("method was refused") != std::string::npos);
  CHECK(grants.notes[1].find("left out") != std::string::npos);
}

TEST_CASE("what no grant allows is not suggested") {
  GrantSuggestion suggestion(GrantSuggestion::Denied::kIsAllowed);
  suggestion.add(event("filesystem.read", "etc", Outcome::kDenied, "the path is not absolute"));
  suggestion.add(event("network", "http://a.example", Outcome::kDenied,
                       "its name resolves to a private address"));
  const json policy = json::parse(suggestion.finish().policy);
  CHECK(!policy.contains("filesystem"));
  CHECK(policy["network"] ==
        json({{"origins", {"http://a.example"}}, {"allowPrivateAddresses", true}}));
}

TEST_CASE("a suggested operation budget is that of the call with the most operations") {
  const auto budget = [](GrantSuggestion::Denied denied) {
    GrantSuggestion suggestion(denied);
    for (const char* sandbox : {"a", "b", "a", "a", "b"}) {
      auto used = event("secret", "A");
      used.sandbox = sandbox;
      suggestion.add(used);
    }
    auto refused = event("resource.operations", "A", Outcome::kDenied, "used up");
    refused.operation = "secret";
    refused.sandbox = "a";
    suggestion.add(refused);
    auto over = event("execute");
    over.sandbox = "a";
    over.count = 4;
    suggestion.add(over);
    return json::parse(suggestion.finish().policy)["resources"]["maxOperations"].get<int>();
  };
  CHECK(budget(GrantSuggestion::Denied::kStays) == 3);
  CHECK(budget(GrantSuggestion::Denied::kIsAllowed) == 8);
}

TEST_CASE("a CloudEvent holds the event as it is") {
  const auto original = event("network", "https://a.example", Outcome::kDenied, "not \"granted\"");
  const std::string text = to_cloud_event(original);
  const json cloud = json::parse(text);
  CHECK(cloud["specversion"] == "1.0");
  CHECK(cloud["id"] == original.hash);
  CHECK(cloud["type"] == "fino.ai.sandbox.network");
  CHECK(cloud["subject"] == "c-1");
  CHECK(cloud["time"] == "2023-11-14T22:13:20.123Z");
  CHECK(text.find(to_json(original)) != std::string::npos);
}

TEST_CASE("OTLP log records hold every member") {
  auto original = event("network", "https://a.example", Outcome::kDenied, "not granted");
  original.bytes = 5'000'000'000;
  const json logs = json::parse(to_otlp_logs({{original, event("execute")}}));
  const auto& records = logs["resourceLogs"][0]["scopeLogs"][0]["logRecords"];
  REQUIRE(records.size() == 2);
  CHECK(records[0]["timeUnixNano"] == "1700000000123000000");
  CHECK(records[0]["severityText"] == "WARN");
  CHECK(records[0]["body"]["stringValue"] == to_json(original));
  json attributes;
  for (const auto& each : records[0]["attributes"]) {
    attributes[each["key"].get<std::string>()] = each["value"];
  }
  CHECK(attributes["cordon.audit.bytes"]["intValue"] == "5000000000");
  CHECK(attributes["cordon.audit.reason"]["stringValue"] == "not granted");
  CHECK(!attributes.contains("cordon.audit.count"));
}

}  // namespace
}  // namespace cordon
