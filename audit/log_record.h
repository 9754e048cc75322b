#pragma once
// What a log says about itself: records that have their place in the chain like any event and are
// told apart by their capability, `audit` (audit/format.md).

#include <cstdint>
#include <optional>
#include <string>

#include <cordon/audit_event.h>

#include "messages/audit.capnp.h"
#include "messages/payload.h"

namespace cordon {

inline constexpr const char* kGenesis = "genesis";        // the first line of a log
inline constexpr const char* kResume = "resume";          // another writer goes on from here
inline constexpr const char* kRotate = "rotate";          // the last line of a file
inline constexpr const char* kCheckpoint = "checkpoint";  // vouches for everything before it
inline constexpr const char* kLost = "lost";              // events that could not be written

struct LogRecord {
  const char* operation = kGenesis;
  std::string reason = {};
  std::optional<std::uint64_t> bytes = {};
  std::optional<std::uint64_t> count = {};
};

// As a message for next_event(). A lost record is an error, any other `used`.
Message<wire::AuditRecord> record_message(const LogRecord& record);

// Whether `event` is the log's record with that operation.
bool is_log_record(const SandboxAuditEvent& event, const char* operation);

}  // namespace cordon
