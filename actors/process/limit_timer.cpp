#include "actors/process/limit_timer.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <utility>

namespace cordon {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

namespace {

// Lives on the I/O thread; the handle below only posts to it.
class Timer : public std::enable_shared_from_this<Timer> {
 public:
  Timer(asio::io_context& io, const LimitWatchSource::Limits& limits,
        std::function<void(KillReason)> on_limit)
      : wall_(io), cpu_(io), limits_(limits), on_limit_(std::move(on_limit)) {
    wall_.expires_at(Clock::now() + limits.wall_clock);
  }

  void begin() {
    if (stopped_) return;
    wall_.async_wait([self = shared_from_this()](auto error) {
      if (!error) self->reached(KillReason::kWallClock);
    });
  }

  void watch(std::shared_ptr<Child> child) {
    if (stopped_) return;
    child_ = std::move(child);
    if (reached_ != KillReason::kNone) {
      child_->kill(reached_);
    } else if (limits_.cpu) {
      check_cpu();
    }
  }

  void stop() {
    stopped_ = true;
    wall_.cancel();
    cpu_.cancel();
    child_.reset();
    on_limit_ = nullptr;
  }

  asio::any_io_executor executor() { return wall_.get_executor(); }

 private:
  void check_cpu() {
    const auto used = child_->cpu_time();
    if (!used) return;
    const auto left = *limits_.cpu - *used;
    if (left <= left.zero()) {
      reached(KillReason::kCpu);
      return;
    }
    cpu_.expires_after(left);
    cpu_.async_wait([self = shared_from_this()](auto error) {
      if (!error && self->child_) self->check_cpu();
    });
  }

  void reached(KillReason reason) {
    if (stopped_ || reached_ != KillReason::kNone) return;
    reached_ = reason;
    if (child_) child_->kill(reason);
    if (on_limit_) on_limit_(reason);
  }

  asio::steady_timer wall_;
  asio::steady_timer cpu_;
  LimitWatchSource::Limits limits_;
  std::function<void(KillReason)> on_limit_;
  std::shared_ptr<Child> child_;
  KillReason reached_ = KillReason::kNone;
  bool stopped_ = false;
};

class Watch final : public LimitWatch {
 public:
  explicit Watch(std::shared_ptr<Timer> timer) : timer_(std::move(timer)) {}
  ~Watch() override {
    asio::post(timer_->executor(), [timer = timer_] { timer->stop(); });
  }
  void watch(std::shared_ptr<Child> child) override {
    asio::post(timer_->executor(), [timer = timer_, child = std::move(child)]() mutable {
      timer->watch(std::move(child));
    });
  }

 private:
  std::shared_ptr<Timer> timer_;
};

}  // namespace

std::shared_ptr<LimitWatch> LimitTimers::begin(const Limits& limits,
                                               std::function<void(KillReason)> on_limit) {
  auto timer = std::make_shared<Timer>(io_, limits, std::move(on_limit));
  asio::post(io_, [timer] { timer->begin(); });
  return std::make_shared<Watch>(std::move(timer));
}

}  // namespace cordon
