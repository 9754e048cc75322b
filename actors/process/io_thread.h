#pragma once
// The one thread that waits: sockets, process ends and timers of a runtime live on its io_context.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <thread>

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
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

}  // namespace cordon
