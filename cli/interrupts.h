#pragma once
// Ctrl-C, SIGTERM and a terminal that goes away end the run, not the command: the sandbox is taken
// down in order, the audit is completed, and the outcome is still reported. A second signal ends
// the command at once.

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <thread>

namespace cordon {

class Interrupts {
 public:
  // `on_interrupt` is called on a thread of this object, once, at the first SIGINT, SIGTERM or
  // SIGHUP. Throws Unavailable when the host has no thread for it.
  explicit Interrupts(std::function<void()> on_interrupt);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  void wait();

  std::function<void()> on_interrupt_;
  bool seen_ = false;  // only touched on the thread
  boost::asio::io_context io_;
  boost::asio::signal_set signals_;
  std::thread thread_;
};

}  // namespace cordon
