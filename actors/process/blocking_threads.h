#pragma once
// A few threads for work that may block. Destruction waits for it.

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <mutex>
#include <optional>

#include "actors/services.h"

namespace cordon {

class BlockingThreads final : public BlockingExecutor {
 public:
  explicit BlockingThreads(std::size_t threads) : pool_(threads) {}
  ~BlockingThreads() override { pool_.join(); }
  void run(std::function<void()> work) override { boost::asio::post(pool_, std::move(work)); }

 private:
  boost::asio::thread_pool pool_;
};

// The same, made when there is work: most runtimes have none.
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
