#include "audit/stream_sink.h"

#include <cstring>
#include <string_view>

#include "messages/write_all.h"

namespace cordon {

AuditSink::Error StreamSink::begin() {
  batch_.clear();
  return flush();
}

AuditSink::Error StreamSink::append(const SandboxAuditEvent&, std::string_view line) {
  batch_ += line;
  return std::nullopt;
}

// From here on the lines are part of the chain: what cannot be sent now is sent first next time.
AuditSink::Error StreamSink::commit() {
  unsent_ += batch_;
  batch_.clear();
  return flush();
}

AuditSink::Error StreamSink::flush() {
  std::string_view rest = unsent_;
  const int error = write_all(descriptor_, rest);
  unsent_.erase(0, unsent_.size() - rest.size());
  if (error == 0) return std::nullopt;
  return std::string("cannot write to the stream: ") + std::strerror(error);
}

}  // namespace cordon
