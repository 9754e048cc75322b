#pragma once
// One granted capability request, performed: the reply for the guest and the event for the audit.
// No actor and no budget here; may block on files.

#include <cstdint>
#include <optional>
#include <string>

#include "actors/message_types.h"
#include "audit/redaction.h"
#include "capabilities/authority.h"

namespace cordon {

struct OperationContext {
  std::string sandbox;  // the call's id
  Authority authority;
  Redactor redactor;
};

struct Performed {
  HostFrameMessage reply;
  AuditRecordMessage record;
};

// None for a member that this version does not know. The functions below need a known one.
std::optional<wire::Function> function_of(wire::Request::Reader request);
// Whether performing it may block on the file system.
bool may_block(wire::Function function);

// `request` comes from a child: reading it may throw kj::Exception.
Performed perform_operation(const OperationContext& context, wire::Request::Reader request);

// The refusals that need no authority.
Performed refuse_for_budget(const OperationContext& context, wire::Request::Reader request,
                            std::uint64_t max_operations);
Performed cancel_operation(const OperationContext& context, wire::Request::Reader request);

}  // namespace cordon
