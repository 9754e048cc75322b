#pragma once
// An audit event as its line in the log, and back (audit/format.md).

#include <cstddef>
#include <string>
#include <string_view>

#include <cordon/audit_event.h>

#include "messages/result.h"

namespace cordon {

// Longest line that a reader accepts, newline excluded. The writer's lines are far shorter, since
// every text field is capped.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} << 10;

// What `event.hash` must be: SHA-256, lower-case hex, over the line without its `hash` member.
std::string event_hash(const SandboxAuditEvent& event);

// The event of one line, or what is wrong with it. Accepts exactly what to_json() writes: no other
// order, spelling, white space or member. Does not check the hash.
Result<SandboxAuditEvent, std::string> parse_event(std::string_view line);

}  // namespace cordon
