#pragma once
// Events in the formats of others, one JSON text a line.

#include <span>
#include <string>

#include <cordon/audit_event.h>

namespace cordon {

// A CloudEvent 1.0 in structured mode. `id` is the event's hash, `subject` the call's id, `type`
// `fino.ai.sandbox.CAPABILITY`, `data` the event itself.
std::string to_cloud_event(const SandboxAuditEvent& event);

// One ExportLogsServiceRequest of OTLP/JSON with a log record for each event: the text of its line
// as the body, its members as attributes `cordon.audit.MEMBER`.
std::string to_otlp_logs(std::span<const SandboxAuditEvent> events);

}  // namespace cordon
