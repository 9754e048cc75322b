#pragma once
// Whether handlers of an io_context expect more to come within microseconds. The thread that runs
// the context may look for it before it sleeps (IoThread).
//
// A service of the context: whoever has the context has it. Only for handlers of the context.

#include <boost/asio/execution_context.hpp>

#include <utility>

namespace cordon {

class Expectation final : public boost::asio::execution_context::service {
 public:
  using key_type = Expectation;
  inline static boost::asio::execution_context::id id;

  explicit Expectation(boost::asio::execution_context& context) : service(context) {}

  void set() noexcept { is_set_ = true; }
  bool take() noexcept { return std::exchange(is_set_, false); }

 private:
  void shutdown() override {}

  bool is_set_ = false;
};

}  // namespace cordon
