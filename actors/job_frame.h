#pragma once
// What a child is told to do: a call's code, arguments and the limits that the child keeps itself.
// Never grants or secrets.

#include <cstdint>

#include "actors/compile/compiler_client.h"
#include "actors/wire_messages.h"
#include "capabilities/tools/tool_set.h"

namespace cordon {

// How many requests, and bytes of them, may wait for their answers in the host.
struct OpenRequests {
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;
};

struct JobParts {
  const CallMessage& call;
  const CompiledModule& module;
  OpenRequests open;
  const CompiledModule* tests = nullptr;  // null: none
  const ToolSet* tools = nullptr;         // null: none
};

HostFrameMessage job_frame(const JobParts& parts);

// The largest argument of a capability call that a child sends whole.
std::uint64_t argument_bytes(wire::Resources::Reader resources);

}  // namespace cordon
