#pragma once
// setTimeout and setInterval: one queue ordered by due time, then by age.

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace cordon::engine {

class Timers {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Timers(JSContext* cx) noexcept : cx_(cx) {}

  // `arguments` is an array that guest code cannot reach. Returns the timer's id, from 1.
  std::uint32_t start(JS::HandleObject callback, JS::HandleObject arguments, double delay_ms,
                      bool repeat);
  void stop(std::uint32_t id);

  std::uint32_t last_id() const noexcept { return last_id_; }
  // Whether a timeout is left that was started after the timer `id`.
  bool any_timeout_after(std::uint32_t id) const;

  bool empty() const noexcept { return queue_.empty(); }
  // When the next one is due; nothing when there is none.
  std::optional<Clock::time_point> next_due() const;

  // Runs the callback that is due the longest. There must be one. What it threw is left pending and
  // makes this false.
  bool run_one();

 private:
  using Key = std::pair<Clock::time_point, std::uint64_t>;  // due, age
  struct Timer {
    std::uint32_t id;
    JS::PersistentRootedObject callback;
    JS::PersistentRootedObject arguments;
    Clock::duration delay;
    bool repeat;
  };

  void schedule(Timer timer);

  JSContext* cx_;
  std::map<Key, Timer> queue_;
  std::unordered_map<std::uint32_t, Key> keys_;
  std::uint32_t last_id_ = 0;
  std::uint64_t last_age_ = 0;
};

}  // namespace cordon::engine
