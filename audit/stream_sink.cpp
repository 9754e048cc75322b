#include "audit/stream_sink.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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
  std::size_t sent = 0;
  while (sent < unsent_.size()) {
    const ssize_t count = ::write(descriptor_, unsent_.data() + sent, unsent_.size() - sent);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      pollfd writable{descriptor_, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (count == 0 || errno != EINTR) {
      const int error = count < 0 ? errno : ENOSPC;
      unsent_.erase(0, sent);
      return std::string("cannot write to the stream: ") + std::strerror(error);
    }
  }
  unsent_.clear();
  return std::nullopt;
}

}  // namespace cordon
