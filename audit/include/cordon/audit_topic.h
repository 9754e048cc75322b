#pragma once
// The topic `fino:ai/sandbox`: events for subscribers inside the process, in the order of the log.

#include <cstdint>
#include <functional>
#include <memory>

#include <cordon/audit_event.h>

namespace cordon {

inline constexpr const char* kAuditTopic = "fino:ai/sandbox";

// One subscriber. It is given as many events as it has credits; each event costs one. An event that
// finds no credit is dropped for this subscriber and counted: nobody waits for it, and the log
// holds the event all the same.
//
// Thread-safe. May outlive its runtime. An empty one has no subscriber behind it.
class AuditSubscription {
 public:
  using OnEvent = std::function<void(const SandboxAuditEvent&)>;

  AuditSubscription() = default;
  ~AuditSubscription();  // ends it: no call is running or begun after. Not from within OnEvent.
  AuditSubscription(AuditSubscription&&) noexcept = default;
  AuditSubscription& operator=(AuditSubscription&& other) noexcept;

  // May be called from within OnEvent.
  void grant(std::uint64_t credits);
  std::uint64_t dropped() const;

 private:
  friend class AuditTopic;
  struct Subscriber;
  explicit AuditSubscription(std::shared_ptr<Subscriber> subscriber);
  std::shared_ptr<Subscriber> subscriber_;
};

}  // namespace cordon
