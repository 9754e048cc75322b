#pragma once
// Events and statistics as text that people read.

#include <map>
#include <string>

#include <cordon/audit_event.h>

#include "audit/event_statistics.h"

namespace cordon {

std::string event_heading();
// One line, printable.
std::string event_row(const SandboxAuditEvent& event);

std::string statistics_table(const std::map<std::string, CapabilityStatistics>& statistics);
std::string statistics_json(const std::map<std::string, CapabilityStatistics>& statistics);

}  // namespace cordon
