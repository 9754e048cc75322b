#include "audit/chain.h"

#include <algorithm>
#include <string_view>

#include "audit/event_json.h"
#include "audit/visible_text.h"

namespace cordon {

namespace {

using Outcome = SandboxAuditEvent::Outcome;

std::string field(capnp::Text::Reader text) {
  return visible_text(std::string_view(text.begin(), text.size()));
}

std::optional<std::string> optional_field(bool present, capnp::Text::Reader text) {
  return present ? std::optional(field(text)) : std::nullopt;
}

std::optional<std::uint64_t> amount(std::int64_t value) {
  return value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value));
}

Outcome outcome_of(wire::AuditOutcome outcome) {
  switch (outcome) {
    case wire::AuditOutcome::USED:
      return Outcome::kUsed;
    case wire::AuditOutcome::DENIED:
      return Outcome::kDenied;
    case wire::AuditOutcome::ERROR:
      break;
  }
  return Outcome::kError;
}

}  // namespace

ChainHead head_after(const SandboxAuditEvent& event) {
  return {event.seq, event.timestamp, event.hash};
}

SandboxAuditEvent unplaced_event(wire::AuditRecord::Reader record) {
  SandboxAuditEvent event;
  event.sandbox = field(record.getSandbox());
  event.capability = field(record.getCapability());
  event.operation = optional_field(record.hasOperation(), record.getOperation());
  event.target = optional_field(record.hasTarget(), record.getTarget());
  event.outcome = outcome_of(record.getOutcome());
  event.reason = optional_field(record.hasReason(), record.getReason());
  if (record.getDurationUs() >= 0) {
    event.duration_ms = static_cast<double>(record.getDurationUs()) / 1000;
  }
  event.bytes = amount(record.getBytes());
  event.count = amount(record.getCount());
  return event;
}

SandboxAuditEvent next_event(wire::AuditRecord::Reader record, const ChainHead& head,
                             std::int64_t now_ms) {
  SandboxAuditEvent event = unplaced_event(record);
  event.seq = head.seq + 1;
  event.timestamp = std::max(head.timestamp, now_ms);
  event.prev = head.hash;
  event.hash = event_hash(event);
  return event;
}

std::optional<ChainFault> chain_fault(const SandboxAuditEvent& event, const ChainHead& head) {
  if (event.hash != event_hash(event)) return ChainFault::kHash;
  if (event.seq != head.seq + 1) return ChainFault::kSequence;
  if (event.prev != head.hash) return ChainFault::kPrev;
  if (event.timestamp < head.timestamp) return ChainFault::kTime;
  return std::nullopt;
}

}  // namespace cordon
