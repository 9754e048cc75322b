#pragma once
// The clock of all calls: a thread that kills a child the moment a limit is reached, whatever the
// I/O thread and the actors are busy with.
//
// The wall clock counts from begin(). CPU time is read from the child's clock; a child cannot use
// more of it than wall time, so the next look is due after what is left. The thread sleeps until
// the earliest limit it knows: a call that ends in time never wakes it.

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "actors/services.h"

namespace cordon {

class LimitTimers final : public LimitWatchSource {
 public:
  LimitTimers();
  ~LimitTimers() override;  // no limit is kept any longer; every watch has to be gone
  LimitTimers(const LimitTimers&) = delete;
  LimitTimers& operator=(const LimitTimers&) = delete;

  // `on_limit` is called on the clock's thread.
  std::shared_ptr<LimitWatch> begin(const Limits& limits,
                                    std::function<void(KillReason)> on_limit) override;

 private:
  using Clock = std::chrono::steady_clock;
  class Timer;
  class Watch;
  using Queue = std::multimap<Clock::time_point, std::shared_ptr<Timer>>;

  void run();
  void enter(const std::shared_ptr<Timer>& timer, Clock::time_point due);
  void leave(Timer& timer);
  void watch(const std::shared_ptr<Timer>& timer, std::shared_ptr<Child> child);
  void stop(const std::shared_ptr<Timer>& timer);
  void look(const std::shared_ptr<Timer>& timer);

  std::mutex mutex_;
  std::condition_variable wake_;
  Queue queue_;  // at most one place for each timer
  Clock::time_point sleeping_until_ = Clock::time_point::max();
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace cordon
