#include "actors/process/blocking_threads.h"

#include <boost/asio/post.hpp>

#include <utility>

#include "actors/process/quiet_thread.h"

namespace cordon {

// Not Asio's thread_pool: where one thread cannot be made, its constructor waits for ever for those
// that it has made.
BlockingThreads::BlockingThreads(std::size_t threads)
    : work_(static_cast<int>(threads)), wanted_(boost::asio::make_work_guard(work_)) {
  try {
    threads_.reserve(threads);
    while (threads_.size() < threads) {
      threads_.push_back(start_quiet_thread("cordon-worker", [this] { work_.run(); }));
    }
  } catch (...) {
    stop();
    throw;
  }
}

void BlockingThreads::run(std::function<void()> work) { boost::asio::post(work_, std::move(work)); }

void BlockingThreads::finish() {
  wanted_.reset();
  join();
}

void BlockingThreads::stop() {
  work_.stop();
  join();
}

void BlockingThreads::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace cordon
