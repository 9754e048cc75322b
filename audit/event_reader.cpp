#include "audit/event_reader.h"

#include "audit/event_json.h"

namespace cordon {

Result<EventReader, std::string> EventReader::open(const std::filesystem::path& path) {
  auto trail = TrailReader::open(path);
  if (!trail) return trail.error();
  return EventReader(std::move(*trail));
}

std::optional<SandboxAuditEvent> EventReader::next() {
  if (error_) return std::nullopt;
  const auto next = trail_.next();
  if (!next || next->line.kind == LogReader::Kind::kTorn) return std::nullopt;
  const std::string place = next->file + ":" + std::to_string(next->line.number) + ": ";
  switch (next->line.kind) {
    case LogReader::Kind::kTooLong:
      error_ = place + "the line is too long";
      return std::nullopt;
    case LogReader::Kind::kFailed:
      error_ = place + "cannot read: " + next->line.text;
      return std::nullopt;
    case LogReader::Kind::kTorn:
    case LogReader::Kind::kLine:
      break;
  }
  auto event = parse_event(next->line.text);
  if (event) return std::move(*event);
  error_ = place + event.error() + "; see audit verify";
  return std::nullopt;
}

}  // namespace cordon
