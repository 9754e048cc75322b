#include "actors/metrics_registry.h"

#include <algorithm>
#include <string_view>

#include "actors/outcome_codec.h"

namespace cordon {

namespace {

Histogram histogram(std::vector<double> bounds) {
  const std::size_t places = bounds.size() + 1;
  return {.bounds = std::move(bounds), .counts = std::vector<std::uint64_t>(places)};
}

Histogram seconds() {
  return histogram(
      {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60});
}

Histogram mebibytes() {
  constexpr double kMebibyte = 1 << 20;
  std::vector<double> bounds;
  for (double size = 4; size <= 1024; size *= 2) bounds.push_back(size * kMebibyte);
  return histogram(std::move(bounds));
}

void add(Histogram& histogram, double value) {
  const auto& bounds = histogram.bounds;
  const auto place = std::lower_bound(bounds.begin(), bounds.end(), value) - bounds.begin();
  ++histogram.counts[static_cast<std::size_t>(place)];
  histogram.sum += value;
  ++histogram.count;
}

class CountedChild final : public Child {
 public:
  CountedChild(std::shared_ptr<Child> child, GaugeShare share)
      : share_(std::move(share)), child_(std::move(child)) {}
  std::optional<StartFailure> start(const Limits& limits, Events events) override {
    return child_->start(limits, std::move(events));
  }
  void send(const Payload& frame) override { child_->send(frame); }
  void acknowledge(std::size_t bytes) override { child_->acknowledge(bytes); }
  void kill(KillReason reason) override { child_->kill(reason); }
  std::optional<std::chrono::microseconds> cpu_time() const override { return child_->cpu_time(); }

 private:
  GaugeShare share_;  // given back after the child is gone
  std::shared_ptr<Child> child_;
};

}  // namespace

MetricsRegistry::MetricsRegistry() {
  for (auto status = Status::kOk; status <= Status::kAuditFailed;
       status = static_cast<Status>(static_cast<int>(status) + 1)) {
    totals_.calls[to_string(status)] = 0;
  }
  totals_.queue_seconds = seconds();
  totals_.call_seconds = seconds();
  totals_.cpu_seconds = seconds();
  totals_.peak_memory_bytes = mebibytes();
}

void MetricsRegistry::call_ended(const OutcomeMessage& outcome) {
  const auto [status, usage] = read_end(outcome);
  const std::lock_guard lock(mutex_);
  ++totals_.calls[to_string(status)];
  add(totals_.queue_seconds, usage.queue_ms / 1000);
  add(totals_.call_seconds, usage.wall_ms / 1000);
  add(totals_.cpu_seconds, usage.cpu_ms / 1000);
  add(totals_.peak_memory_bytes, static_cast<double>(usage.peak_memory_bytes));
  totals_.bytes_in += usage.bytes_in;
  totals_.bytes_out += usage.bytes_out;
}

void MetricsRegistry::call_refused(ActorError error) {
  const std::lock_guard lock(mutex_);
  ++totals_.refused_calls[to_string(error)];
}

void MetricsRegistry::event(const SandboxAuditEvent& event) {
  const std::lock_guard lock(mutex_);
  if (event.capability == "execute") {
    // Refusals past the first have no event of their own.
    if (event.count) totals_.denials["resource.operations"] += *event.count;
  } else if (event.outcome == SandboxAuditEvent::Outcome::kDenied) {
    ++totals_.denials[event.capability];
  } else {
    ++totals_.operations[event.capability];
  }
}

Metrics MetricsRegistry::snapshot() const {
  const std::lock_guard lock(mutex_);
  Metrics now = totals_;
  now.running_calls = running_;
  now.waiting_calls = waiting_;
  now.children_alive = children_;
  return now;
}

void CountedChildren::acquire(OnChild on_child) {
  source_.acquire([&metrics = metrics_, on_child = std::move(on_child)](auto result) {
    if (!result) return on_child(std::move(result));
    on_child(std::shared_ptr<Child>(
        std::make_shared<CountedChild>(std::move(*result), metrics.child())));
  });
}

}  // namespace cordon
