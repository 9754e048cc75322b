#include "audit/log_record.h"

#include <string_view>

namespace cordon {

namespace {

std::int64_t amount(const std::optional<std::uint64_t>& value) {
  return value ? static_cast<std::int64_t>(*value) : -1;
}

}  // namespace

Message<wire::AuditRecord> record_message(const LogRecord& record) {
  const bool lost = record.operation == std::string_view(kLost);
  return Message<wire::AuditRecord>::build([&](wire::AuditRecord::Builder out) {
    out.setSandbox("");
    out.setCapability("audit");
    out.setOperation(record.operation);
    out.setOutcome(lost ? wire::AuditOutcome::ERROR : wire::AuditOutcome::USED);
    if (!record.reason.empty()) out.setReason(record.reason.c_str());
    out.setDurationUs(-1);
    out.setBytes(amount(record.bytes));
    out.setCount(amount(record.count));
  });
}

bool is_log_record(const SandboxAuditEvent& event, const char* operation) {
  return is_log_record(event) && event.operation == operation;
}

}  // namespace cordon
