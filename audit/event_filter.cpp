#include "audit/event_filter.h"

#include <fnmatch.h>

#include <algorithm>

namespace cordon {

namespace {

template <class T>
bool holds(const std::vector<T>& wanted, const T& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

bool fits(const std::vector<std::string>& patterns, const std::optional<std::string>& text) {
  if (patterns.empty()) return true;
  return text && std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return ::fnmatch(pattern.c_str(), text->c_str(), 0) == 0;
         });
}

}  // namespace

bool EventFilter::matches(const SandboxAuditEvent& event) const {
  if (!log_records && is_log_record(event)) return false;
  if (since && event.timestamp < *since) return false;
  if (until && event.timestamp >= *until) return false;
  return holds(outcomes, event.outcome) && holds(sandboxes, event.sandbox) &&
         fits(capabilities, event.capability) && fits(targets, event.target);
}

}  // namespace cordon
