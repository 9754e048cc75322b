#include "tests/cases/runner/audit_post.h"

#include <algorithm>

#include "tests/cases/runner/audit_checks.h"
#include "tests/cases/runner/server_post.h"

namespace cordon::cases {

namespace {

std::size_t count_events(const JudgedRun& run, const Json& fields) {
  return static_cast<std::size_t>(
      std::count_if(run.events.begin(), run.events.end(),
                    [&](const Json& event) { return event_has(event, fields); }));
}

// "denied" is an outcome, "environment" a capability, an object the fields themselves.
Json fields_of(const Json& selector, const std::string& name) {
  if (selector.is_object()) return selector;
  const std::string word = text_of(selector, name);
  const bool outcome = word == "used" || word == "denied" || word == "error";
  return {{outcome ? "outcome" : "capability", word}};
}

// [selector, number], or a number alone, which counts all events.
std::pair<std::size_t, double> counted(const std::string& name, const Json& value,
                                       const JudgedRun& run, const Json& also) {
  if (value.is_number()) return {run.events.size(), value.get<double>()};
  if (!value.is_array() || value.size() != 2) throw Unknown(name + ": " + json_text(value));
  Json fields = fields_of(value[0], name);
  fields.update(also);
  return {count_events(run, fields), number_of(value[1], name)};
}

// The expected events, one after the other among all events.
Problems in_order(const JudgedRun& run, const Json& audit_expect) {
  auto from = run.events.begin();
  for (const Json& wanted : audit_expect) {
    from = std::find_if(from, run.events.end(),
                        [&](const Json& event) { return event_has(event, wanted); });
    if (from == run.events.end())
      return {"audit_in_order: " + json_text(wanted) + " does not follow those before it"};
    ++from;
  }
  return {};
}

Problems times_monotone(const JudgedRun& run) {
  std::int64_t last = 0;
  for (const Json& event : run.events) {
    const Json& time = event.at("timestamp");
    if (!time.is_number_integer() || time.get<std::int64_t>() < last)
      return {"audit_times_monotone: " + json_text(event)};
    last = time.get<std::int64_t>();
  }
  return {};
}

// The log's own fields stand beside whatever a case lists.
Problems no_other_fields(const JudgedRun& run, const Json& value) {
  auto known = texts_of(value, "audit_fields");
  known.insert(known.end(), {"v", "seq", "sandbox", "prev", "hash"});
  for (const Json& event : run.events) {
    for (const auto& [name, each] : event.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        return {"audit_fields: there is also " + name + " in " + json_text(event)};
    }
  }
  return {};
}

Problems small_events(const JudgedRun& run, double most) {
  for (const std::string& line : run.event_lines) {
    if (static_cast<double>(line.size()) > most)
      return {"audit_event_max_bytes: " + std::to_string(line.size()) + " bytes: " + line};
  }
  return {};
}

}  // namespace

Problems check_audit_post(const std::string& name, const Json& value, const JudgedRun& run,
                          const Json& audit_expect) {
  const auto require_true = [&] {
    if (value != true) throw Unknown(name + ": " + json_text(value));
  };
  if (name == "audit_count" || name == "audit_used_count") {
    const Json also = name == "audit_count" ? Json::object() : Json{{"outcome", "used"}};
    const auto [seen, wanted] = counted(name, value, run, also);
    return equal_figures(name, seen, wanted);
  }
  if (name == "audit_count_max") {
    const auto [seen, most] = counted(name, value, run, Json::object());
    if (static_cast<double>(seen) <= most) return {};
    return {"audit_count_max: " + std::to_string(seen) + " of them"};
  }
  if (name == "audit_in_order") {
    require_true();
    return in_order(run, audit_expect);
  }
  if (name == "audit_times_monotone") {
    require_true();
    return times_monotone(run);
  }
  if (name == "audit_fields") return no_other_fields(run, value);
  if (name == "audit_event_max_bytes") return small_events(run, number_of(value, name));
  if (name == "last_audit_capability") {
    const std::string wanted = text_of(value, name);
    if (!run.events.empty() && run.events.back().at("capability") == wanted) return {};
    return {"last_audit_capability: it is " +
            (run.events.empty() ? "none" : json_text(run.events.back().at("capability")))};
  }
  throw Unknown("the check \"" + name + "\"");
}

}  // namespace cordon::cases
