#pragma once
// Who subscribed to a runtime's events.

#include <memory>
#include <mutex>
#include <vector>

#include <cordon/audit_topic.h>

namespace cordon {

// Thread-safe; events are published from one thread at a time.
class AuditTopic {
 public:
  // `on_event` is called on the publishing thread; it must be quick and must not throw.
  AuditSubscription subscribe(AuditSubscription::OnEvent on_event, std::uint64_t credits);
  void publish(const SandboxAuditEvent& event);

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<AuditSubscription::Subscriber>> subscribers_;
};

}  // namespace cordon
