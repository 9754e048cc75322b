#pragma once
// How long to wait before a service that has ended is started again. On the I/O thread only.

#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace cordon {

// Starting again and again: at once after the first failure in a row, then after growing pauses.
class RestartPause {
 public:
  explicit RestartPause(boost::asio::io_context& io) : timer_(io) {}

  void on_start_failed() { ++start_failures_; }
  void on_started() { start_failures_ = 0; }
  void on_broken() { ++breaks_; }
  void on_answer() { breaks_ = 0; }

  unsigned start_failures() const noexcept { return start_failures_; }
  bool is_pausing() const noexcept { return is_pausing_; }

  // False when there is no need to pause. `then` is not called after cancel(), nor when the owner
  // of this is gone.
  bool pause(std::weak_ptr<void> owner, std::function<void()> then) {
    const unsigned failures = start_failures_ + breaks_;
    if (failures <= 1) return false;
    is_pausing_ = true;
    timer_.expires_after(std::min(kLongest, kFirst * (1 << std::min(failures - 2, 10U))));
    timer_.async_wait([this, owner = std::move(owner),
                       then = std::move(then)](const boost::system::error_code& error) {
      const auto alive = owner.lock();
      if (!alive || error) return;
      is_pausing_ = false;
      then();
    });
    return true;
  }
  void cancel() { timer_.cancel(); }

 private:
  static constexpr std::chrono::milliseconds kFirst{50};
  static constexpr std::chrono::milliseconds kLongest{800};

  unsigned start_failures_ = 0;  // in a row
  unsigned breaks_ = 0;          // in a row, without an answer in between
  boost::asio::steady_timer timer_;
  bool is_pausing_ = false;
};

}  // namespace cordon
