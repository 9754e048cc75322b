#include "audit/event_json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "audit/sha256.h"
#include "audit/visible_text.h"

namespace cordon {

namespace {

using Json = nlohmann::json;
using Outcome = SandboxAuditEvent::Outcome;

constexpr int kVersion = 1;
constexpr double kMaxDurationMs = 9e12;  // in microseconds still an exact double

// Text that is visible needs only two escapes in JSON.
void append_visible(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = text.find_first_of("\"\\"); at != std::string_view::npos;
       at = text.find_first_of("\"\\")) {
    out += text.substr(0, at);
    (out += '\\') += text[at];
    text.remove_prefix(at + 1);
  }
  out += text;
  out += '"';
}

// Making it visible once more makes this function safe for any event.
void append_text(std::string& out, std::string_view text) {
  if (text.size() <= kMaxLineBytes && is_plain(text)) return append_visible(out, text);
  append_visible(out, visible_text(text, kMaxLineBytes));
}

void append_member(std::string& out, std::string_view key, std::string_view text) {
  (out += ",\"") += key;
  out += "\":";
  append_text(out, text);
}

void append_number(std::string& out, std::string_view key, const std::string& digits) {
  ((out += ",\"") += key) += "\":";
  out += digits;
}

// Milliseconds with as few of three decimals as will do.
std::string duration_text(double milliseconds) {
  const double bounded =
      std::isnan(milliseconds) ? 0 : std::clamp(milliseconds, 0.0, kMaxDurationMs);
  const std::int64_t microseconds = std::llround(bounded * 1000);
  std::string text = std::to_string(microseconds / 1000);
  std::string decimals = std::to_string(1000 + microseconds % 1000).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  if (!decimals.empty()) (text += '.') += decimals;
  return text;
}

// The line up to and with `prev`, without the closing brace.
std::string open_line(const SandboxAuditEvent& event) {
  std::string out = "{\"v\":" + std::to_string(kVersion);
  append_number(out, "seq", std::to_string(event.seq));
  append_member(out, "sandbox", event.sandbox);
  append_number(out, "timestamp", std::to_string(event.timestamp));
  append_member(out, "capability", event.capability);
  if (event.operation) append_member(out, "operation", *event.operation);
  if (event.target) append_member(out, "target", *event.target);
  append_member(out, "outcome", to_string(event.outcome));
  if (event.reason) append_member(out, "reason", *event.reason);
  if (event.duration_ms) append_number(out, "durationMs", duration_text(*event.duration_ms));
  if (event.bytes) append_number(out, "bytes", std::to_string(*event.bytes));
  if (event.count) append_number(out, "count", std::to_string(*event.count));
  append_member(out, "prev", event.prev);
  return out;
}

// ------------------------------------------------------------------ reading

// Thrown and caught in this file: a member is missing or has another type.
struct WrongMember {
  std::string key;
};

const Json* find(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string text_of(const Json& object, const char* key) {
  const Json* const value = find(object, key);
  if (value == nullptr || !value->is_string()) throw WrongMember{key};
  return value->get<std::string>();
}

std::uint64_t number_of(const Json& object, const char* key) {
  const Json* const value = find(object, key);
  if (value == nullptr || !value->is_number_unsigned()) throw WrongMember{key};
  return value->get<std::uint64_t>();
}

template <class Read>
auto optional_of(const Json& object, const char* key, Read read) {
  using Value = decltype(read(object, key));
  return find(object, key) == nullptr ? std::optional<Value>() : read(object, key);
}

double duration_of(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number()) throw WrongMember{key};
  return value.get<double>();
}

std::string hash_of(const Json& object, const char* key) {
  std::string hash = text_of(object, key);
  const bool hex = hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (hash.size() != 64 || !hex) throw WrongMember{key};
  return hash;
}

Outcome outcome_of(const Json& object) {
  const std::string name = text_of(object, "outcome");
  for (const Outcome outcome : {Outcome::kUsed, Outcome::kDenied, Outcome::kError}) {
    if (name == to_string(outcome)) return outcome;
  }
  throw WrongMember{"outcome"};
}

SandboxAuditEvent event_of(const Json& object) {
  if (number_of(object, "v") != kVersion) throw WrongMember{"v"};
  SandboxAuditEvent event;
  event.seq = number_of(object, "seq");
  event.sandbox = text_of(object, "sandbox");
  const std::uint64_t timestamp = number_of(object, "timestamp");
  if (timestamp > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    throw WrongMember{"timestamp"};
  }
  event.timestamp = static_cast<std::int64_t>(timestamp);
  event.capability = text_of(object, "capability");
  event.operation = optional_of(object, "operation", text_of);
  event.target = optional_of(object, "target", text_of);
  event.outcome = outcome_of(object);
  event.reason = optional_of(object, "reason", text_of);
  event.duration_ms = optional_of(object, "durationMs", duration_of);
  event.bytes = optional_of(object, "bytes", number_of);
  event.count = optional_of(object, "count", number_of);
  event.prev = hash_of(object, "prev");
  event.hash = hash_of(object, "hash");
  return event;
}

}  // namespace

const char* to_string(SandboxAuditEvent::Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kUsed:
      return "used";
    case Outcome::kDenied:
      return "denied";
    case Outcome::kError:
      break;
  }
  return "error";
}

bool is_log_record(const SandboxAuditEvent& event) noexcept { return event.capability == "audit"; }

std::string to_json(const SandboxAuditEvent& event) {
  std::string line = open_line(event);
  append_member(line, "hash", event.hash);
  return line += '}';
}

std::string event_hash(const SandboxAuditEvent& event) {
  return sha256_hex(open_line(event) + '}');
}

Result<SandboxAuditEvent, std::string> parse_event(std::string_view line) {
  if (line.size() > kMaxLineBytes) return std::string("the line is too long");
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return std::string("the line is not a JSON object");
  try {
    SandboxAuditEvent event = event_of(object);
    // Order, spelling, white space, repeated and unknown members all at once.
    if (to_json(event) != line) return std::string("the line is not spelled as an event is");
    return event;
  } catch (const WrongMember& wrong) {
    return "member `" + wrong.key + "` is missing or not what it must be";
  }
}

}  // namespace cordon
