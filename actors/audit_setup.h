#pragma once
// From a runtime's options to its open log.

#include <cstddef>
#include <memory>

#include <cordon/runtime.h>

#include "actors/process/blocking_threads.h"
#include "audit/audit_log.h"

namespace cordon {

// Throws AuditUnavailable, but for a best-effort log, which is opened later then.
std::shared_ptr<AuditLog> open_audit_log(const RuntimeOptions& options);

// How many events may share a commit on a thread of their own; 0: nothing that the log does waits.
std::size_t audit_group_limit(const AuditOptions& options);
// That thread; null: none is needed. Throws std::system_error when the host has none left.
std::shared_ptr<BlockingThreads> audit_thread(const AuditOptions& options);

}  // namespace cordon
