#pragma once
// Which events of a trail a question is about.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cordon/audit_event.h>

namespace cordon {

// Each list that is not empty must hold something that matches. Patterns are those of a shell: `*`,
// `?` and `[...]`, where `*` matches `/` as well.
struct EventFilter {
  std::vector<std::string> sandboxes = {};     // ids
  std::vector<std::string> capabilities = {};  // patterns
  std::vector<SandboxAuditEvent::Outcome> outcomes = {};
  std::vector<std::string> targets = {};   // patterns; an event without a target matches none
  std::optional<std::int64_t> since = {};  // Unix milliseconds, included
  std::optional<std::int64_t> until = {};  // excluded
  bool log_records = false;                // what the log says about itself as well

  bool matches(const SandboxAuditEvent& event) const;
};

}  // namespace cordon
