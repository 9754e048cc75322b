#pragma once
// The hash chain: each event names the hash of the one before. Pure functions; no file, no clock.

#include <cstdint>
#include <optional>
#include <string>

#include <cordon/audit_event.h>

#include "messages/audit.capnp.h"

namespace cordon {

// The end of a chain, which decides what the next event must say.
struct ChainHead {
  std::uint64_t seq = 0;                    // of the newest event; 0: none yet
  std::int64_t timestamp = 0;               // of the newest event
  std::string hash = std::string(64, '0');  // of the newest event; zeros: none yet
};

ChainHead head_after(const SandboxAuditEvent& event);

// `record` as an event without a place: no seq, timestamp, prev or hash. All text is made visible
// and capped, whatever the sender did.
SandboxAuditEvent unplaced_event(wire::AuditRecord::Reader record);

// `record` as the event that follows `head`. Its time is `now_ms`, or the event's before if the
// clock has run backwards.
SandboxAuditEvent next_event(wire::AuditRecord::Reader record, const ChainHead& head,
                             std::int64_t now_ms);

enum class ChainFault : std::uint8_t {
  kHash,      // the event does not have the hash that it states: it was changed
  kSequence,  // events are missing, repeated, inserted or out of order
  kPrev,      // the event before is not the one that this event followed: it was replaced
  kTime,      // the timestamp runs backwards
};

// What contradicts that `event` follows `head`; the first in the order above.
std::optional<ChainFault> chain_fault(const SandboxAuditEvent& event, const ChainHead& head);

}  // namespace cordon
