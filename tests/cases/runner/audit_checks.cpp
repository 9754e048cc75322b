#include "tests/cases/runner/audit_checks.h"

#include <algorithm>

#include "tests/cases/runner/pattern.h"

namespace cordon::cases {

namespace {

void require_event_fields(const Json& fields) {
  require_keys(fields,
               {"v", "seq", "sandbox", "timestamp", "capability", "operation", "target", "outcome",
                "reason", "durationMs", "bytes", "count", "prev", "hash"},
               "an audit event");
  if (fields.empty()) throw Unknown("an audit event about which nothing is said");
}

// The first text field that `pattern` matches, for the report.
std::string field_that_matches(const std::string& pattern, const Json& event) {
  for (const auto& [name, value] : event.items()) {
    if (value.is_string() && matches(pattern, value.get<std::string>())) return name;
  }
  return {};
}

void forbid(const Json& entry, const JudgedRun& run, Problems& problems) {
  if (entry.contains("re")) {
    require_keys(entry, {"re"}, "audit_forbid");
    const std::string pattern = text_of(entry["re"], "re");
    for (const std::string& line : run.event_lines) {
      if (matches(pattern, line))
        problems.push_back("audit_forbid /" + pattern + "/ matches " + line);
    }
  } else if (entry.contains("field_re")) {
    require_keys(entry, {"field_re"}, "audit_forbid");
    const std::string pattern = text_of(entry["field_re"], "field_re");
    for (const Json& event : run.events) {
      const std::string field = field_that_matches(pattern, event);
      if (!field.empty())
        problems.push_back("audit_forbid /" + pattern + "/ matches the field " + field + " of " +
                           json_text(event));
    }
  } else {
    require_event_fields(entry);
    for (const Json& event : run.events) {
      if (event_has(event, entry))
        problems.push_back("audit_forbid " + json_text(entry) +
                           " has happened: " + json_text(event));
    }
  }
}

}  // namespace

bool event_has(const Json& event, const Json& fields) {
  require_event_fields(fields);
  return equals(fields, event, true);
}

Problems check_audit(const Json& audit_expect, const Json& audit_forbid, const JudgedRun& run) {
  if (!audit_expect.is_array() || !audit_forbid.is_array())
    throw Unknown("audit expectations that are not lists");
  Problems problems;
  for (const Json& entry : audit_expect) {
    require_event_fields(entry);
    const bool found = std::any_of(run.events.begin(), run.events.end(),
                                   [&](const Json& event) { return event_has(event, entry); });
    if (!found) problems.push_back("audit_expect " + json_text(entry) + ": there is no such event");
  }
  for (const Json& entry : audit_forbid) forbid(entry, run, problems);
  return problems;
}

}  // namespace cordon::cases
