#include "audit/event_export.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace cordon {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = SandboxAuditEvent::Outcome;

std::string iso_time(std::int64_t milliseconds) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm utc{};
  std::array<char, 40> text{};
  if (::gmtime_r(&seconds, &utc) == nullptr) return "1970-01-01T00:00:00.000Z";
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::array<char, 8> rest{};
  std::snprintf(rest.data(), rest.size(), ".%03dZ", static_cast<int>(milliseconds % 1000));
  return std::string(text.data(), length) + rest.data();
}

Json attribute(std::string_view key, const std::string& value) {
  return {{"key", "cordon.audit." + std::string(key)}, {"value", {{"stringValue", value}}}};
}

// OTLP/JSON writes 64-bit numbers as strings.
Json attribute(std::string_view key, std::uint64_t value) {
  return {{"key", "cordon.audit." + std::string(key)},
          {"value", {{"intValue", std::to_string(value)}}}};
}

Json attribute(std::string_view key, double value) {
  return {{"key", "cordon.audit." + std::string(key)}, {"value", {{"doubleValue", value}}}};
}

template <class T>
void add(Json& attributes, std::string_view key, const std::optional<T>& value) {
  if (value) attributes.push_back(attribute(key, *value));
}

Json attributes_of(const SandboxAuditEvent& event) {
  Json attributes = Json::array();
  attributes.push_back(attribute("seq", event.seq));
  attributes.push_back(attribute("sandbox", event.sandbox));
  attributes.push_back(attribute("capability", event.capability));
  add(attributes, "operation", event.operation);
  add(attributes, "target", event.target);
  attributes.push_back(attribute("outcome", std::string(to_string(event.outcome))));
  add(attributes, "reason", event.reason);
  add(attributes, "durationMs", event.duration_ms);
  add(attributes, "bytes", event.bytes);
  add(attributes, "count", event.count);
  attributes.push_back(attribute("prev", event.prev));
  attributes.push_back(attribute("hash", event.hash));
  return attributes;
}

// Severity numbers of the OpenTelemetry logs data model: INFO, WARN, ERROR.
std::pair<int, const char*> severity(Outcome outcome) {
  switch (outcome) {
    case Outcome::kUsed:
      return {9, "INFO"};
    case Outcome::kDenied:
      return {13, "WARN"};
    case Outcome::kError:
      break;
  }
  return {17, "ERROR"};
}

Json log_record(const SandboxAuditEvent& event) {
  const auto [number, text] = severity(event.outcome);
  const std::string nanoseconds = std::to_string(event.timestamp) + "000000";
  return {{"timeUnixNano", nanoseconds},
          {"observedTimeUnixNano", nanoseconds},
          {"severityNumber", number},
          {"severityText", text},
          {"body", {{"stringValue", to_json(event)}}},
          {"attributes", attributes_of(event)}};
}

}  // namespace

std::string to_cloud_event(const SandboxAuditEvent& event) {
  Json out = {{"specversion", "1.0"},
              {"id", event.hash},
              {"source", "urn:cordon:audit"},
              {"type", "fino.ai.sandbox." + event.capability},
              {"time", iso_time(event.timestamp)},
              {"datacontenttype", "application/json"}};
  if (!event.sandbox.empty()) out["subject"] = event.sandbox;
  std::string text = out.dump();
  text.pop_back();  // the event's own text goes in as it is: its hash is over these bytes
  return text + ",\"data\":" + to_json(event) + "}";
}

std::string to_otlp_logs(std::span<const SandboxAuditEvent> events) {
  Json records = Json::array();
  for (const auto& event : events) records.push_back(log_record(event));
  const Json service = {{"key", "service.name"}, {"value", {{"stringValue", "cordon"}}}};
  const Json scope = {{"scope", {{"name", "cordon.audit"}}}, {"logRecords", std::move(records)}};
  const Json resource = {{"resource", {{"attributes", Json::array({service})}}},
                         {"scopeLogs", Json::array({scope})}};
  return Json{{"resourceLogs", Json::array({resource})}}.dump();
}

}  // namespace cordon
