#pragma once
// One granted capability request, performed: the reply for the guest and the event for the audit.
// No actor and no budget here; may block on files.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "actors/services.h"
#include "actors/wire_messages.h"
#include "audit/redaction.h"
#include "capabilities/authority.h"
#include "capabilities/http/fetched_response.h"
#include "capabilities/network_policy.h"
#include "capabilities/operation.h"

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

// `request` comes from a child: reading it may throw kj::Exception. Not for fetchText,
// spawn and tools.
Performed perform_operation(const OperationContext& context, wire::Request::Reader request);

// fetchText in two steps, since what is between them waits for a server: the decision, with what is
// to be sent, or the refusal; and what came back.
struct DecidedFetch {
  CheckedRequest request;
  std::optional<std::string> body;
  std::uint64_t max_body_bytes = 0;
};
std::variant<DecidedFetch, Performed> decide_fetch(const OperationContext& context,
                                                   wire::Request::Reader request);
Performed finish_fetch(const OperationContext& context, wire::Request::Reader request,
                       const OperationResult<FetchedResponse>& result,
                       std::chrono::steady_clock::duration took);

// spawn in two steps: what is between them is the command's run.
std::variant<CheckedCommand, Performed> decide_spawn(const OperationContext& context,
                                                     wire::Request::Reader request);
Performed finish_spawn(const OperationContext& context, wire::Request::Reader request,
                       const SpawnedCommand& spawned, std::chrono::steady_clock::duration took);

// A tool's call, once it has ended (ToolSession).
Performed finish_tool(const OperationContext& context, wire::Request::Reader request,
                      const OperationResult<std::string>& result,
                      std::chrono::steady_clock::duration took);

// The refusals that need no authority.
Performed refuse_for_budget(const OperationContext& context, wire::Request::Reader request,
                            wire::Lease::Reader lease);
Performed cancel_operation(const OperationContext& context, wire::Request::Reader request);

// The host has no memory for it. The functions above that give what was performed see to that
// themselves; the decisions, which copy what is to be sent, throw std::bad_alloc.
Performed fail_for_memory(const OperationContext& context, wire::Request::Reader request,
                          std::chrono::steady_clock::duration took = {});

}  // namespace cordon
