#pragma once
// Which trail, and which of its events: what every question about a trail begins with.

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/event_filter.h"
#include "cli/usage_error.h"
#include "messages/result.h"

namespace cordon {

// Registers FILE and its flags with a command, which writes into this object while it parses.
class EventFlags {
 public:
  explicit EventFlags(CLI::App& command);
  EventFlags(const EventFlags&) = delete;
  EventFlags& operator=(const EventFlags&) = delete;

  // Calls `on_event` for every event that is asked for, until it returns false. With `on_end`,
  // calls that at the trail's end and goes on when it returns true. Gives an exit code: 0, or 1 and
  // 2, with a message, for a trail that is broken and for what cannot be used or read.
  int for_each(const std::function<bool(const SandboxAuditEvent&)>& on_event,
               const std::function<bool()>& on_end = {}) const;

  const std::string& file() const { return file_; }

 private:
  Result<EventFilter, UsageError> filter(std::int64_t now_ms) const;

  std::string file_;
  std::vector<std::string> sandboxes_;
  std::vector<std::string> capabilities_;
  std::vector<std::string> outcomes_;
  std::vector<std::string> targets_;
  std::optional<std::string> since_;
  std::optional<std::string> until_;
  bool all_ = false;
};

// "2024-05-01", "2024-05-01T12:00:00Z" (UTC; a fraction of a second is allowed), or an age such as
// "15m" before `now_ms`. In Unix milliseconds.
Result<std::int64_t, UsageError> parse_time(const std::string& text, std::int64_t now_ms);

}  // namespace cordon
