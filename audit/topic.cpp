#include "audit/topic.h"

#include <atomic>
#include <utility>

namespace cordon {

struct AuditSubscription::Subscriber {
  std::atomic<std::uint64_t> credits{0};
  std::atomic<std::uint64_t> dropped{0};
  std::mutex mutex;  // held while it is called
  OnEvent on_event;  // empty once the subscription has ended

  void tell(const SandboxAuditEvent& event) {
    const std::lock_guard lock(mutex);
    if (!on_event) return;
    // Only this side takes credits, and from one thread at a time.
    if (credits.load() == 0) {
      ++dropped;
      return;
    }
    --credits;
    on_event(event);
  }

  void end() {
    const std::lock_guard lock(mutex);
    on_event = nullptr;
  }
};

AuditSubscription::AuditSubscription(std::shared_ptr<Subscriber> subscriber)
    : subscriber_(std::move(subscriber)) {}

AuditSubscription::~AuditSubscription() {
  if (subscriber_) subscriber_->end();
}

AuditSubscription& AuditSubscription::operator=(AuditSubscription&& other) noexcept {
  if (this == &other) return *this;
  if (subscriber_) subscriber_->end();
  subscriber_ = std::move(other.subscriber_);
  return *this;
}

void AuditSubscription::grant(std::uint64_t credits) {
  if (subscriber_) subscriber_->credits += credits;
}

std::uint64_t AuditSubscription::dropped() const {
  return subscriber_ ? subscriber_->dropped.load() : 0;
}

AuditSubscription AuditTopic::subscribe(AuditSubscription::OnEvent on_event,
                                        std::uint64_t credits) {
  auto subscriber = std::make_shared<AuditSubscription::Subscriber>();
  subscriber->on_event = std::move(on_event);
  subscriber->credits = credits;
  const std::lock_guard lock(mutex_);
  subscribers_.push_back(subscriber);
  return AuditSubscription(std::move(subscriber));
}

void AuditTopic::publish(const SandboxAuditEvent& event) {
  std::vector<std::shared_ptr<AuditSubscription::Subscriber>> now;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(subscribers_, [](const auto& each) { return each.expired(); });
    for (const auto& each : subscribers_) {
      if (auto subscriber = each.lock()) now.push_back(std::move(subscriber));
    }
  }
  for (const auto& subscriber : now) subscriber->tell(event);
}

}  // namespace cordon
