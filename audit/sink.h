#pragma once
// Where events are kept. A sink takes whole batches: what was appended since begin() is kept by
// commit() or was never there after undo(). Sinks never drop an event: they fail.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <cordon/audit_event.h>

#include "audit/chain.h"

namespace cordon {

// Not thread-safe: one owner. Errors say what went wrong, for a person; the sink is then as it was
// at begin() once undo() was called, and a later batch may succeed.
class AuditSink {
 public:
  using Error = std::optional<std::string>;

  virtual ~AuditSink() = default;
  // Where the chain it holds ends; none: it holds nothing and goes on from anywhere.
  virtual std::optional<ChainHead> head() const = 0;
  // The trail to read, for what holds one.
  virtual std::filesystem::path path() const = 0;

  virtual Error begin() = 0;
  // `line` is to_json(event) and a newline.
  virtual Error append(const SandboxAuditEvent& event, std::string_view line) = 0;
  virtual Error commit() = 0;
  // Takes back the batch, even one that was committed. What cannot be taken back now is taken back
  // before the next batch.
  virtual void undo() = 0;

  // Whether a `rotate` record is wanted before the next batch.
  virtual bool rotation_due(std::int64_t) const { return false; }
  // Bytes of a torn line that opening cut off.
  virtual std::size_t repaired_bytes() const { return 0; }
};

// How much an event outlives once its batch is committed.
enum class Durability : bool {
  kProcess,  // the death of this process
  kMachine,  // a power failure, as far as the disk keeps its word
};

}  // namespace cordon
