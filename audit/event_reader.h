#pragma once
// The events of a trail, one after the other, for questions. Reads what is spelled as an event is;
// whether the trail is intact is for verify_log().

#include <filesystem>
#include <optional>
#include <string>

#include <cordon/audit_event.h>

#include "audit/trail_reader.h"
#include "messages/result.h"

namespace cordon {

// Not thread-safe. May read a trail that is being written.
class EventReader {
 public:
  // The error names the trail.
  static Result<EventReader, std::string> open(const std::filesystem::path& path);

  // The next event; nothing at the trail's end for now, where a line may be in the making, and
  // after an error.
  std::optional<SandboxAuditEvent> next();
  // After the end: looks for what came since.
  void resume() { trail_.resume(); }
  // What next() could not read: names file and line. None: it is at the end.
  const std::optional<std::string>& error() const noexcept { return error_; }

 private:
  explicit EventReader(TrailReader trail) : trail_(std::move(trail)) {}
  TrailReader trail_;
  std::optional<std::string> error_;
};

}  // namespace cordon
