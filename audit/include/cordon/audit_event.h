#pragma once
// One entry of the audit trail (contract section 6).

#include <cstdint>
#include <optional>
#include <string>

namespace cordon {

struct SandboxAuditEvent {
  enum class Outcome : std::uint8_t { kUsed, kDenied, kError };

  std::uint64_t seq = 0;                 // position in the log, from 1
  std::string sandbox;                   // the call's id, assigned by the host
  std::int64_t timestamp = 0;            // Unix milliseconds; never runs backwards
  std::string capability;                // "filesystem.read", "resource.wallClock", "execute", ...
  std::optional<std::string> operation;  // the function's name when capability is a "resource.*"
  std::optional<std::string> target;     // redacted, escaped and capped; never a secret value
  Outcome outcome = Outcome::kUsed;      // kError: failed after authorization
  std::optional<std::string> reason;     // written by the host
  std::optional<double> duration_ms;
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> count;
  std::string prev;  // hash of the event before; 64 zeros for the first
  std::string hash;  // SHA-256 over the event's line without this member, lower-case hex
};

const char* to_string(SandboxAuditEvent::Outcome outcome) noexcept;  // "used", "denied", "error"

// Whether it is the log's word about itself (audit/format.md: first line, checkpoints, ...) and no
// use of a capability. Such records are in the log only: nobody is called with them.
bool is_log_record(const SandboxAuditEvent& event) noexcept;

// The event's line in the log, without the newline: audit/format.md.
std::string to_json(const SandboxAuditEvent& event);

}  // namespace cordon
