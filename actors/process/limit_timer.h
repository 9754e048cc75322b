#pragma once
// The clock of one call, on the I/O thread: kills the child the moment a limit is reached.
//
// The wall clock counts from construction. CPU time is read from the child's clock; a child cannot
// use more of it than wall time, so the next look is due after what is left.

#include <boost/asio/io_context.hpp>

#include "actors/services.h"

namespace cordon {

class LimitTimers final : public LimitWatchSource {
 public:
  explicit LimitTimers(boost::asio::io_context& io) : io_(io) {}
  std::shared_ptr<LimitWatch> begin(const Limits& limits,
                                    std::function<void(KillReason)> on_limit) override;

 private:
  boost::asio::io_context& io_;
};

}  // namespace cordon
