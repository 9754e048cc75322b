#pragma once
// An actor system's clock on an I/O thread: timeouts fire as exactly as Asio's timers do, and no
// thread of their own wakes for them.
//
// Any thread may set and cancel; all bookkeeping happens on the I/O thread. Invariant: after stop()
// returns, nothing of an actor is held any more and no timer is pending.

#include <caf/detail/simple_actor_clock.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace cordon {

class IoClock final : public caf::detail::simple_actor_clock {
 public:
  explicit IoClock(boost::asio::io_context& io) : io_(io), timer_(io) {}

  void set_ordinary_timeout(time_point due, caf::abstract_actor* self, caf::atom_value type,
                            std::uint64_t id) override;
  void set_multi_timeout(time_point due, caf::abstract_actor* self, caf::atom_value type,
                         std::uint64_t id) override;
  void set_request_timeout(time_point due, caf::abstract_actor* self, caf::message_id id) override;
  void cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) override;
  void cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) override;
  void cancel_timeouts(caf::abstract_actor* self) override;
  void schedule_message(time_point due, caf::strong_actor_ptr receiver,
                        caf::mailbox_element_ptr content) override;
  void schedule_message(time_point due, caf::group target, caf::strong_actor_ptr sender,
                        caf::message content) override;
  void cancel_all() override;

  // On the I/O thread. Drops what is scheduled, and whatever is to be scheduled later.
  void stop();

 private:
  using Base = caf::detail::simple_actor_clock;

  // Runs `change` on the I/O thread: now, where this is it.
  template <class F>
  void apply(F change);
  void arm();

  boost::asio::io_context& io_;
  boost::asio::steady_timer timer_;
  bool armed_ = false;
  std::atomic<bool> stopped_{false};
};

}  // namespace cordon
