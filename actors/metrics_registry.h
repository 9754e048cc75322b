#pragma once
// Where a runtime's figures are kept. Whatever is counted as being there is given back by the
// destructor of what stood for it: no end of an actor leaves a gauge behind.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include <cordon/actor_messages.h>
#include <cordon/audit_event.h>
#include <cordon/metrics.h>

#include "actors/services.h"

namespace cordon {

// One of the things that a gauge counts. The gauge outlives it.
class GaugeShare {
 public:
  using Gauge = std::atomic<std::uint64_t>;
  GaugeShare() noexcept = default;
  explicit GaugeShare(Gauge& gauge) noexcept : gauge_(&gauge) { ++gauge; }
  GaugeShare(GaugeShare&& other) noexcept : gauge_(std::exchange(other.gauge_, nullptr)) {}
  GaugeShare& operator=(GaugeShare other) noexcept {
    std::swap(gauge_, other.gauge_);
    return *this;
  }
  ~GaugeShare() {
    if (gauge_ == nullptr) return;
    --*gauge_;
    gauge_->notify_all();
  }

 private:
  Gauge* gauge_ = nullptr;
};

// Thread-safe.
class MetricsRegistry {
 public:
  MetricsRegistry();

  void call_ended(const OutcomeMessage& outcome);
  void call_refused(ActorError error);
  void event(const SandboxAuditEvent& event);

  GaugeShare running_call() { return GaugeShare(running_); }
  GaugeShare waiting_call() { return GaugeShare(waiting_); }
  GaugeShare child() { return GaugeShare(children_); }

  Metrics snapshot() const;

 private:
  mutable std::mutex mutex_;
  Metrics totals_;
  GaugeShare::Gauge running_{0};
  GaugeShare::Gauge waiting_{0};
  GaugeShare::Gauge children_{0};
};

// Counts the children that it hands on.
class CountedChildren final : public ChildSource {
 public:
  // Both outlive this object and every child.
  CountedChildren(ChildSource& source, MetricsRegistry& metrics)
      : source_(source), metrics_(metrics) {}
  void acquire(OnChild on_child) override;

 private:
  ChildSource& source_;
  MetricsRegistry& metrics_;
};

}  // namespace cordon
