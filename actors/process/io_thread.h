#pragma once
// The one thread that waits: sockets, process ends and timers of a runtime live on its io_context.
//
// Before it sleeps it may look a little while whether there is something to do already
// (docs/decisions/039).

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <thread>

#include "messages/look_back_off.h"

namespace cordon {

class IoThread {
 public:
  IoThread();
  ~IoThread();  // stop()
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  boost::asio::io_context& context() noexcept { return context_; }
  // No handler runs after it returns. Idempotent; not from the thread itself.
  void stop();
  // From a handler: whoever was heard of just now probably will be again, within microseconds.
  // Does nothing on a thread that is no IoThread's.
  static void expect_more() noexcept;

 private:
  void run();
  bool look();

  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  LookBackOff looks_;
  std::thread thread_;
};

}  // namespace cordon
