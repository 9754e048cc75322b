#pragma once
// The time that an open loop lives in, apart from its logic so that a test can make time pass.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace cordon::load {

using Nanoseconds = std::chrono::nanoseconds;

class Timeline {
 public:
  virtual ~Timeline() = default;
  virtual Nanoseconds now() const = 0;  // since this object was made; thread-safe
  virtual void sleep_until(Nanoseconds time) = 0;
  // Returns whether `holds` does: as soon as it does, or at that time.
  virtual bool wait(Nanoseconds until, const std::function<bool()>& holds) = 0;
  // `holds` of a wait() may hold now. Thread-safe.
  virtual void changed() = 0;
};

// The steady clock's.
class SteadyTimeline : public Timeline {
 public:
  // Makes sleeps of the calling thread as exact as the kernel can.
  SteadyTimeline();
  Nanoseconds now() const override;
  void sleep_until(Nanoseconds time) override;
  bool wait(Nanoseconds until, const std::function<bool()>& holds) override;
  void changed() override;

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable change_;
};

}  // namespace cordon::load
