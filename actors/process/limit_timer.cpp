#include "actors/process/limit_timer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "actors/process/quiet_thread.h"

namespace cordon {

// One call's limits. The mutex guards what changes.
class LimitTimers::Timer {
 public:
  Timer(const Limits& limits, std::function<void(KillReason)> callback)
      : wall_end(Clock::now() + limits.wall_clock),
        cpu(limits.cpu),
        on_limit(std::move(callback)) {}

  const Clock::time_point wall_end;
  const std::optional<std::chrono::milliseconds> cpu;
  std::function<void(KillReason)> on_limit;  // empty once it was called
  std::shared_ptr<Child> child;
  KillReason reached = KillReason::kNone;
  bool stopped = false;
  std::optional<Queue::iterator> place;
};

class LimitTimers::Watch final : public LimitWatch {
 public:
  Watch(LimitTimers& timers, std::shared_ptr<Timer> timer)
      : timers_(timers), timer_(std::move(timer)) {}
  ~Watch() override { timers_.stop(timer_); }
  void watch(std::shared_ptr<Child> child) override { timers_.watch(timer_, std::move(child)); }

 private:
  LimitTimers& timers_;
  const std::shared_ptr<Timer> timer_;
};

LimitTimers::LimitTimers() : thread_(start_quiet_thread("cordon-clock", [this] { run(); })) {}

LimitTimers::~LimitTimers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::shared_ptr<LimitWatch> LimitTimers::begin(const Limits& limits,
                                               std::function<void(KillReason)> on_limit) {
  auto timer = std::make_shared<Timer>(limits, std::move(on_limit));
  {
    const std::lock_guard lock(mutex_);
    enter(timer, timer->wall_end);
  }
  return std::make_shared<Watch>(*this, std::move(timer));
}

void LimitTimers::enter(const std::shared_ptr<Timer>& timer, Clock::time_point due) {
  timer->place = queue_.emplace(due, timer);
  if (due < sleeping_until_) wake_.notify_one();
}

void LimitTimers::leave(Timer& timer) {
  if (const auto place = std::exchange(timer.place, std::nullopt)) queue_.erase(*place);
}

void LimitTimers::watch(const std::shared_ptr<Timer>& timer, std::shared_ptr<Child> child) {
  {
    const std::lock_guard lock(mutex_);
    timer->child = std::move(child);
    if (timer->reached == KillReason::kNone && !timer->cpu) return;
  }
  look(timer);
}

void LimitTimers::stop(const std::shared_ptr<Timer>& timer) {
  // What they hold may take a while to go.
  std::shared_ptr<Child> child;
  std::function<void(KillReason)> on_limit;
  const std::lock_guard lock(mutex_);
  timer->stopped = true;
  leave(*timer);
  child.swap(timer->child);
  on_limit.swap(timer->on_limit);
}

// Kills for a limit that is reached, or finds out when to look again. Children are asked and killed
// without the lock: one that is being reaped may keep its asker waiting.
void LimitTimers::look(const std::shared_ptr<Timer>& timer) {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Child> child = timer->child;
  lock.unlock();
  const auto used = child && timer->cpu ? child->cpu_time() : std::nullopt;
  lock.lock();
  if (timer->stopped) return;
  leave(*timer);
  const auto now = Clock::now();
  auto due = timer->wall_end;
  if (used) due = std::min(due, now + (*timer->cpu - *used));
  if (timer->reached == KillReason::kNone) {
    if (due > now) return enter(timer, due);
    timer->reached = due == timer->wall_end ? KillReason::kWallClock : KillReason::kCpu;
  }
  const auto on_limit = std::exchange(timer->on_limit, nullptr);
  const KillReason reached = timer->reached;
  const std::shared_ptr<Child> victim = timer->child;
  lock.unlock();
  if (victim) victim->kill(reached);
  if (on_limit) on_limit(reached);
}

void LimitTimers::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (!queue_.empty() && queue_.begin()->first <= Clock::now()) {
      const std::shared_ptr<Timer> timer = queue_.begin()->second;
      lock.unlock();
      look(timer);
      lock.lock();
      continue;
    }
    sleeping_until_ = queue_.empty() ? Clock::time_point::max() : queue_.begin()->first;
    if (queue_.empty()) {
      wake_.wait(lock);
    } else {
      wake_.wait_until(lock, sleeping_until_);
    }
  }
}

}  // namespace cordon
