#pragma once
// A few threads for work that may block.
//
// Invariant: either all of them run, or the constructor has thrown and none does.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "actors/process/blocking_executor.h"

namespace cordon {

class BlockingThreads final : public BlockingExecutor {
 public:
  // Throws std::system_error when the host has no thread left.
  explicit BlockingThreads(std::size_t threads);
  ~BlockingThreads() override { finish(); }
  void run(std::function<void()> work) override;
  // For work that cannot be copied.
  auto executor() noexcept { return work_.get_executor(); }

  // Both wait for what has begun; idempotent, and not from one of the threads.
  void finish();  // does what is waiting too
  void stop();    // drops it

 private:
  void join();

  boost::asio::io_context work_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> wanted_;
  std::vector<std::thread> threads_;
};

// The same, made when there is work: most runtimes have none. Until they can be made, run() throws
// as their constructor does.
class LateBlockingThreads final : public BlockingExecutor {
 public:
  explicit LateBlockingThreads(std::size_t threads) : count_(threads) {}
  void run(std::function<void()> work) override {
    std::call_once(made_, [this] { threads_.emplace(count_); });
    threads_->run(std::move(work));
  }

 private:
  const std::size_t count_;
  std::once_flag made_;
  std::optional<BlockingThreads> threads_;
};

}  // namespace cordon
