#pragma once
// The thread that writes the log where writing may wait for a disk: actors never do. While it waits
// for one group of events, the next gathers, so that one fsync serves many.
//
// Invariant: `on_written` is called once for every event, in the order of write(), after the event
// is as durable as the log promises, or is known not to be.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <cordon/audit_event.h>

#include "actors/process/blocking_threads.h"
#include "actors/wire_messages.h"
#include "audit/audit_log.h"

namespace cordon {

class AuditorThread {
 public:
  struct Written {
    std::uint64_t key = 0;
    std::optional<SandboxAuditEvent> event;  // none: it could not be written
  };
  struct Group {
    std::vector<Written> written;
    std::string head;  // of the log after it
  };
  using OnWritten = std::function<void(Group)>;  // on this thread

  // At most `group_limit` events share one commit. `thread` is one, and serves nobody else.
  AuditorThread(AuditLog log, std::size_t group_limit, OnWritten on_written,
                std::shared_ptr<BlockingThreads> thread);
  ~AuditorThread();  // writes what it was given, then closes the log
  AuditorThread(const AuditorThread&) = delete;
  AuditorThread& operator=(const AuditorThread&) = delete;

  // Thread-safe. Never waits for the disk.
  void write(std::uint64_t key, AuditRecordMessage record);

 private:
  struct Waiting {
    std::vector<std::uint64_t> keys;
    std::vector<AuditRecordMessage> records;
  };
  void run();
  Waiting take();
  Group write(const Waiting& group);

  AuditLog log_;
  const std::size_t group_limit_;
  const OnWritten on_written_;
  std::mutex mutex_;
  std::condition_variable wake_;
  Waiting waiting_;
  bool ending_ = false;
  const std::shared_ptr<BlockingThreads> thread_;
};

}  // namespace cordon
