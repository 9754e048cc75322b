#pragma once
// The one thread that waits: sockets, process ends and timers of a runtime live on its io_context.
//
// Where a handler has set the context's Expectation it looks a little while whether there is
// something to do already before it sleeps (docs/decisions/039).

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <thread>

#include "actors/process/expectation.h"
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

 private:
  void run();
  bool look();

  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  Expectation& expectation_;
  LookBackOff looks_;
  std::thread thread_;
};

}  // namespace cordon
