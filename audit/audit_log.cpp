#include "audit/audit_log.h"

#include <algorithm>
#include <utility>

#include "audit/sqlite_sink.h"
#include "audit/stream_sink.h"
#include "audit/trail_copy.h"

namespace cordon {

namespace {

constexpr auto kOpenPause = std::chrono::seconds(1);

}  // namespace

std::int64_t AuditLog::system_clock_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

Result<AuditLog, std::string> AuditLog::open(AuditLogOptions options, Clock clock) {
  AuditLog log(std::move(clock));
  log.options_ = std::move(options);
  if (log.options_.signing_key) {
    auto key = SigningKey::load(*log.options_.signing_key);
    if (!key) return "audit signing key " + key.error();
    log.key_ = std::move(*key);
  }
  log.opened_ = false;
  const auto problem = log.open_sinks();
  if (problem && !log.options_.open_later) return *problem;
  return log;
}

std::optional<std::string> AuditLog::open_sinks() {
  opened_at_ = std::chrono::steady_clock::now();
  sinks_.clear();
  for (const auto& path : options_.files) {
    auto file = LogFile::open(path, options_.rotation, options_.durability);
    if (!file) return file.error();
    sinks_.push_back(std::move(*file));
  }
  for (const auto& path : options_.databases) {
    auto database = SqliteSink::open(path, options_.durability);
    if (!database) return database.error();
    sinks_.push_back(std::move(*database));
  }
  if (options_.stream) sinks_.push_back(std::make_unique<StreamSink>(*options_.stream));
  repaired_bytes_ = 0;
  for (const auto& sink : sinks_) repaired_bytes_ += sink->repaired_bytes();
  if (auto problem = level_sinks()) return problem;
  opened_ = true;
  return std::nullopt;
}

std::optional<std::string> AuditLog::level_sinks() {
  const AuditSink* longest = nullptr;
  for (const auto& sink : sinks_) {
    const auto head = sink->head();
    if (head && (longest == nullptr || head->seq > longest->head()->seq)) longest = sink.get();
  }
  if (longest == nullptr) return std::nullopt;
  for (const auto& sink : sinks_) {
    if (sink.get() == longest || !sink->head()) continue;
    if (auto problem = copy_missing(longest->path(), *sink)) return problem;
    if (sink->head()->hash != longest->head()->hash) {
      return "audit log " + sink->path().string() + " and " + longest->path().string() +
             " hold different trails";
    }
  }
  head_ = *longest->head();
  return std::nullopt;
}

std::optional<std::string> AuditLog::open_when_late() {
  if (opened_) return std::nullopt;
  if (std::chrono::steady_clock::now() - opened_at_ < kOpenPause) {
    return "the audit log is not open";
  }
  return open_sinks();
}

void AuditLog::add(Batch& batch, const Record& record, std::int64_t now) const {
  batch.events.push_back(next_event(*record.read(), batch.head, now));
  batch.head = head_after(batch.events.back());
}

void AuditLog::add(Batch& batch, const LogRecord& record, std::int64_t now) const {
  add(batch, record_message(record), now);
}

LogRecord AuditLog::opening_record() const {
  LogRecord record{.operation = head_.seq == 0 ? kGenesis : kResume, .reason = options_.writer};
  if (repaired_bytes_ > 0) record.bytes = repaired_bytes_;
  return record;
}

LogRecord AuditLog::checkpoint(const ChainHead& after, std::int64_t now) const {
  LogRecord record{.operation = kCheckpoint};
  if (key_) {
    record.reason = key_->signed_reason(after.seq + 1, std::max(after.timestamp, now), after.hash);
  }
  return record;
}

Result<std::vector<SandboxAuditEvent>, std::string> AuditLog::write(
    std::span<const Record> records) {
  const auto fail = [&](const std::string& problem) {
    lost_ += records.size();
    lost_in_all_ += records.size();
    return problem;
  };
  if (const auto problem = open_when_late()) return fail(*problem);
  const std::int64_t now = clock_();
  if (const auto problem = rotate_if_due(now)) return fail(*problem);

  const bool speaks = !options_.writer.empty();
  Batch batch{{}, head_};
  if (speaks && !announced_) add(batch, opening_record(), now);
  if (speaks && lost_ > 0) {
    add(batch, LogRecord{.operation = kLost, .reason = "could not be written", .count = lost_},
        now);
  }
  const std::size_t first = batch.events.size();
  for (const Record& record : records) add(batch, record, now);
  const std::uint64_t since = since_checkpoint_ + records.size();
  const bool vouch = speaks && options_.checkpoint_every > 0 && since >= options_.checkpoint_every;
  if (vouch) add(batch, checkpoint(batch.head, now), now);
  if (const auto problem = keep(batch)) return fail(*problem);

  announced_ = true;
  lost_ = 0;
  since_checkpoint_ = vouch ? 0 : since;
  std::vector<SandboxAuditEvent> events = std::move(batch.events);
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(first));
  events.resize(records.size());
  return events;
}

Result<SandboxAuditEvent, std::string> AuditLog::append(const Record& record) {
  auto events = write({&record, 1});
  if (!events) return events.error();
  return std::move(events->front());
}

// A batch of its own: what follows it belongs to the next file.
std::optional<std::string> AuditLog::rotate_if_due(std::int64_t now) {
  if (std::none_of(sinks_.begin(), sinks_.end(),
                   [now](const auto& sink) { return sink->rotation_due(now); })) {
    return std::nullopt;
  }
  Batch batch{{}, head_};
  add(batch, LogRecord{.operation = kRotate}, now);
  return keep(batch);
}

std::optional<std::string> AuditLog::keep(const Batch& batch) {
  std::vector<std::string> lines;
  if (!sinks_.empty()) {
    for (const auto& event : batch.events) lines.push_back(to_json(event) + '\n');
  }
  std::size_t begun = 0;
  AuditSink::Error problem;
  for (; begun < sinks_.size() && !problem; ++begun) {
    problem = sinks_[begun]->begin();
    if (problem) break;
  }
  for (std::size_t i = 0; i < begun && !problem; ++i) {
    for (std::size_t at = 0; at < lines.size() && !problem; ++at) {
      problem = sinks_[i]->append(batch.events[at], lines[at]);
    }
  }
  std::size_t committed = 0;
  for (; committed < begun && !problem; ++committed) problem = sinks_[committed]->commit();
  // A stream is last and holds no chain: what it was given stays given.
  const bool kept = problem && committed == sinks_.size() && !sinks_.back()->head();
  if (problem && !kept) {
    for (std::size_t i = 0; i < begun; ++i) sinks_[i]->undo();
    return "audit log: " + *problem;
  }
  head_ = batch.head;
  if (problem) return "audit log: " + *problem;
  return std::nullopt;
}

void AuditLog::close() {
  if (key_ && opened_ && since_checkpoint_ > 0) {
    Batch batch{{}, head_};
    const std::int64_t now = clock_();
    add(batch, checkpoint(head_, now), now);
    keep(batch);
  }
  sinks_.clear();
  opened_ = false;
  opened_at_ = std::chrono::steady_clock::time_point::max();
}

}  // namespace cordon
