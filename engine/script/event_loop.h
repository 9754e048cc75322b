#pragma once
// Runs what is left to do of a call until a promise settles: microtasks, then one task (a timer or
// a reply of the host), then microtasks again. When there is nothing to run it sleeps in the
// channel.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <optional>

#include "engine/script/channel.h"
#include "engine/script/host_calls.h"
#include "engine/script/job_queue.h"
#include "engine/script/memory_limit.h"
#include "engine/script/rejections.h"
#include "engine/script/timers.h"

namespace cordon::engine {

// What becomes of errors that nobody waits for, and of a promise that nothing can settle.
enum class Background : std::uint8_t {
  kIgnored,  // errors are dropped; waiting goes on for ever
  kCounts,   // the first error, and having nothing to wait for, end the run
};

class EventLoop {
 public:
  enum class End : std::uint8_t {
    kSettled,
    kStuck,    // Background::kCounts: nothing is left that could settle the promise
    kThrew,    // Background::kCounts: see uncaught()
    kStopped,  // guest code was ended for good
    kChannelClosed,
  };

  struct Sources {
    JobQueue& jobs;
    Timers& timers;
    HostCalls& calls;
    Rejections& rejections;
    const MemoryLimit& memory;
    Channel& channel;
  };

  EventLoop(JSContext* cx, const Sources& sources, Background background)
      : cx_(cx), sources_(sources), background_(background), uncaught_(cx) {}

  // With Background::kIgnored, returns as soon as the promise settles. With kCounts the microtasks
  // that are due by then still run, so that what they throw counts.
  End run_until_settled(JS::HandleObject promise);

  // From now on.
  void set_background(Background background) noexcept { background_ = background; }

  // Goes on until nothing is left that was begun after `last_timer` was started: microtasks,
  // timeouts and replies. Intervals do not count, and nothing that waits for more than that.
  End run_until_idle(std::uint32_t last_timer);

  JS::HandleValue uncaught() const { return uncaught_; }

 private:
  std::optional<End> run_microtasks(JS::HandleObject promise);
  std::optional<End> run_task();
  std::optional<End> take_reply();
  // After guest code failed: goes on, or ends the run.
  std::optional<End> after_throw();
  bool timer_is_due() const;

  JSContext* cx_;
  Sources sources_;
  Background background_;
  JS::PersistentRootedValue uncaught_;
  bool channel_is_next_ = false;  // timers and replies take turns
};

}  // namespace cordon::engine
