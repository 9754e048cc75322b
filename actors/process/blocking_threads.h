#pragma once
// A few threads for work that may block on files.

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

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

}  // namespace cordon
