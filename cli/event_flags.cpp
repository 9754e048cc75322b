#include "cli/event_flags.h"

#include <ctime>
#include <string_view>

#include "audit/audit_log.h"
#include "audit/event_reader.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/units.h"

namespace cordon {
namespace {

constexpr const char* kGroup = "Events";

std::optional<SandboxAuditEvent::Outcome> outcome_named(const std::string& name) {
  using Outcome = SandboxAuditEvent::Outcome;
  for (const Outcome outcome : {Outcome::kUsed, Outcome::kDenied, Outcome::kError}) {
    if (name == to_string(outcome)) return outcome;
  }
  return std::nullopt;
}

// What follows the seconds: nothing or a fraction, then nothing or "Z". In milliseconds.
std::optional<std::int64_t> fraction(std::string_view rest) {
  if (rest.ends_with('Z')) rest.remove_suffix(1);
  if (rest.empty()) return 0;
  if (rest.size() < 2 || rest[0] != '.') return std::nullopt;
  if (rest.find_first_not_of("0123456789", 1) != std::string_view::npos) return std::nullopt;
  std::string digits(rest.substr(1));
  digits.resize(3, '0');
  return std::stoi(digits);
}

}  // namespace

Result<std::int64_t, UsageError> parse_time(const std::string& text, std::int64_t now_ms) {
  if (const auto age = parse_duration(text)) return now_ms - static_cast<std::int64_t>(*age);
  std::tm utc{};
  const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
  if (rest == nullptr) {
    utc = {};
    rest = ::strptime(text.c_str(), "%Y-%m-%d", &utc);
    if (rest != nullptr && *rest != '\0') rest = nullptr;
  }
  const auto milliseconds = rest != nullptr ? fraction(rest) : std::nullopt;
  if (!milliseconds) {
    return UsageError{"expected a time such as 2024-05-01T12:00:00Z, a day, or an age such as 15m"};
  }
  return std::int64_t{::timegm(&utc)} * 1000 + *milliseconds;
}

EventFlags::EventFlags(CLI::App& command) {
  command.add_option("FILE", file_, "The trail, as run --audit wrote it: a file or a database")
      ->required()
      ->type_name("");
  const auto list = [&command](const char* flag, auto& value, const char* type, const char* help) {
    command.add_option(flag, value, help)->type_name(type)->group(kGroup)->take_all();
  };
  list("--sandbox", sandboxes_, "ID", "Of this call; may be repeated, like the following");
  list("--capability", capabilities_, "PATTERN", "Of this capability, such as network or 'file*'");
  list("--outcome", outcomes_, "OUTCOME", "used, denied or error");
  list("--target", targets_, "PATTERN", "Whose target matches, such as '/srv/*'");
  const auto time = [&command](const char* flag, auto& value, const char* help) {
    command.add_option(flag, value, help)->type_name("TIME")->group(kGroup);
  };
  time("--since", since_, "Not before this time (UTC) or age: 2024-05-01T12:00:00Z, 15m");
  time("--until", until_, "Before this time or age");
  command.add_flag("--all", all_, "What the trail says about itself as well")->group(kGroup);
}

Result<EventFilter, UsageError> EventFlags::filter(std::int64_t now_ms) const {
  EventFilter filter{.sandboxes = sandboxes_,
                     .capabilities = capabilities_,
                     .targets = targets_,
                     .log_records = all_};
  for (const std::string& name : outcomes_) {
    const auto outcome = outcome_named(name);
    if (!outcome) return UsageError{"--outcome=", name, ": expected used, denied or error"};
    filter.outcomes.push_back(*outcome);
  }
  if (since_) {
    const auto time = parse_time(*since_, now_ms);
    if (!time) return UsageError{"--since=", *since_, ": ", time.error().message};
    filter.since = *time;
  }
  if (until_) {
    const auto time = parse_time(*until_, now_ms);
    if (!time) return UsageError{"--until=", *until_, ": ", time.error().message};
    filter.until = *time;
  }
  return filter;
}

int EventFlags::for_each(const std::function<bool(const SandboxAuditEvent&)>& on_event,
                         const std::function<bool()>& on_end) const {
  const auto refuse = [](const std::string& message) {
    tell("cordon: ", message);
    return kExitUsage;
  };
  const auto chosen = filter(AuditLog::system_clock_ms());
  if (!chosen) return refuse(chosen.error().message);
  auto reader = EventReader::open(file_);
  if (!reader) return refuse(reader.error());
  for (;;) {
    while (const auto event = reader->next()) {
      if (chosen->matches(*event) && !on_event(*event)) return kExitOk;
    }
    if (reader->error()) {
      tell("cordon: ", *reader->error());
      return kExitError;
    }
    if (!on_end || !on_end()) return kExitOk;
    reader->resume();  // not before: what came while it waited may be all that comes
  }
}

}  // namespace cordon
