#pragma once
// The one chain of a runtime and the sinks that keep it. Events are linked in batches: a batch is
// in every sink when write() returns, or in none of them.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <cordon/audit_event.h>

#include "audit/chain.h"
#include "audit/log_file.h"
#include "audit/log_record.h"
#include "audit/signature.h"
#include "audit/sink.h"
#include "messages/payload.h"
#include "messages/result.h"

namespace cordon {

struct AuditLogOptions {
  std::vector<std::filesystem::path> files = {};      // JSON lines
  std::vector<std::filesystem::path> databases = {};  // SQLite
  std::optional<int> stream = {};                     // a descriptor that gets the lines
  Durability durability = Durability::kProcess;
  Rotation rotation = {};  // of files
  // Who writes: the `reason` of the first record. Empty: the log says nothing about itself.
  std::string writer = {};
  std::uint64_t checkpoint_every = 0;  // events; 0: none
  std::optional<std::filesystem::path> signing_key = {};
  // A log that cannot be opened now is opened later.
  bool open_later = false;
};

// Not thread-safe: one owner, which may be any thread.
class AuditLog {
 public:
  using Record = Message<wire::AuditRecord>;
  using Clock = std::function<std::int64_t()>;  // Unix milliseconds
  static std::int64_t system_clock_ms();

  // A chain in memory alone: events are linked and returned, none is kept.
  explicit AuditLog(Clock clock = system_clock_ms) : clock_(std::move(clock)) {}

  // All sinks go on from the chain that they hold. One that is behind the others (new, or not
  // reached when the machine went down) is given what it lacks first.
  static Result<AuditLog, std::string> open(AuditLogOptions options, Clock clock = system_clock_ms);

  // Links the records, in their order, and hands them to every sink, with what the log has to say
  // about itself before and after them. On an error (no space, say) the log is as it was before and
  // a later write may succeed; the number of events that failed is then written down first.
  Result<std::vector<SandboxAuditEvent>, std::string> write(std::span<const Record> records);
  // A batch of one.
  Result<SandboxAuditEvent, std::string> append(const Record& record);
  // Vouches for what was written last, where there is a signing key. The log may be used no more.
  void close();

  const ChainHead& head() const noexcept { return head_; }
  std::uint64_t lost() const noexcept { return lost_in_all_; }  // events that failed
  // Bytes of torn last lines that open() cut off; 0: there was none.
  std::size_t repaired_bytes() const noexcept { return repaired_bytes_; }

 private:
  struct Batch {
    std::vector<SandboxAuditEvent> events;
    ChainHead head;
  };

  std::optional<std::string> open_sinks();
  std::optional<std::string> level_sinks();
  std::optional<std::string> open_when_late();
  std::optional<std::string> rotate_if_due(std::int64_t now);
  std::optional<std::string> keep(const Batch& batch);
  void add(Batch& batch, const Record& record, std::int64_t now) const;
  void add(Batch& batch, const LogRecord& record, std::int64_t now) const;
  LogRecord opening_record() const;
  LogRecord checkpoint(const ChainHead& after, std::int64_t now) const;

  AuditLogOptions options_;
  Clock clock_;
  ChainHead head_;
  std::vector<std::unique_ptr<AuditSink>> sinks_;
  std::optional<SigningKey> key_;
  bool opened_ = true;
  std::chrono::steady_clock::time_point opened_at_{};  // the last attempt
  bool announced_ = false;                             // this writer's first record is written
  std::uint64_t since_checkpoint_ = 0;                 // events
  std::uint64_t lost_ = 0;                             // not yet written down
  std::uint64_t lost_in_all_ = 0;
  std::size_t repaired_bytes_ = 0;
};

}  // namespace cordon
