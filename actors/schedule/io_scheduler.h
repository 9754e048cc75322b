#pragma once
// A scheduler that runs an actor system's actors on an I/O thread: what a socket brings is decided
// on the thread that read it, so no message wakes another one (docs/decisions/031).
//
// Invariant: actors run on the I/O thread alone, one at a time, in the order in which they became
// ready; sockets and timers get their turn at least every kTurn and one message.

#include <caf/actor_system.hpp>
#include <caf/execution_unit.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <deque>

#include "actors/schedule/io_clock.h"

namespace caf {
class actor_system_config;
}

namespace cordon {

class IoScheduler final : public caf::scheduler::abstract_coordinator, private caf::execution_unit {
 public:
  static constexpr auto kTurn = std::chrono::microseconds(200);

  // For the system to be made with `config`. One thread runs `io`, from before the system is made
  // until it is gone.
  static void use(caf::actor_system_config& config, boost::asio::io_context& io);

  IoScheduler(caf::actor_system& system, boost::asio::io_context& io);

  // With a printer that is an actor like any other: CAF's own is a thread, and a system that cannot
  // have it does not survive.
  void start() override;
  // Thread-safe.
  void enqueue(caf::resumable* job) override;
  IoClock& clock() noexcept override { return clock_; }

 protected:
  void stop() override;

 private:
  void exec_later(caf::resumable* job) override;
  void run();
  void run_one();
  void post_run();
  template <class F>
  void run_there(F work);

  boost::asio::io_context& io_;
  IoClock clock_;
  // I/O thread only.
  std::deque<caf::resumable*> ready_;
  bool posted_ = false;

  std::atomic<bool> stopped_{false};  // what becomes ready from now on is dropped
};

}  // namespace cordon
