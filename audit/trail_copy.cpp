#include "audit/trail_copy.h"

#include "audit/event_json.h"
#include "audit/log_record.h"
#include "audit/trail_reader.h"

namespace cordon {

namespace {

constexpr int kBatchEvents = 1000;

// Appends in batches. The end of a file is the end of its batch.
class Copy {
 public:
  explicit Copy(AuditSink& sink) : sink_(sink) {}

  AuditSink::Error add(const SandboxAuditEvent& event) {
    if (count_ == 0) {
      if (auto problem = sink_.begin()) return problem;
    }
    ++count_;
    if (auto problem = sink_.append(event, to_json(event) + '\n')) {
      sink_.undo();
      return problem;
    }
    return count_ == kBatchEvents || is_log_record(event, kRotate) ? finish() : std::nullopt;
  }

  AuditSink::Error finish() {
    if (count_ == 0) return std::nullopt;
    count_ = 0;
    auto problem = sink_.commit();
    if (problem) sink_.undo();
    return problem;
  }

 private:
  AuditSink& sink_;
  int count_ = 0;
};

}  // namespace

std::optional<std::string> copy_missing(const std::filesystem::path& path, AuditSink& sink) {
  const std::string name =
      "audit log " + sink.path().string() + ": cannot go on from " + path.string() + ": ";
  auto reader = TrailReader::open(path);
  if (!reader) return name + reader.error();
  const ChainHead start = sink.head().value();
  ChainHead head;
  Copy copy(sink);
  while (const auto line = reader->next()) {
    if (line->line.kind != LogReader::Kind::kLine) return name + "it cannot be read to its end";
    const auto event = parse_event(line->line.text);
    if (!event || chain_fault(*event, head)) return name + "it is not intact; see audit verify";
    head = head_after(*event);
    if (event->seq == start.seq && head.hash != start.hash) return name + "another trail is there";
    if (event->seq <= start.seq) continue;
    if (const auto problem = copy.add(*event)) return name + *problem;
  }
  if (const auto problem = copy.finish()) return name + *problem;
  return std::nullopt;
}

}  // namespace cordon
