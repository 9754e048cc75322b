#pragma once
// From an origin to a connection: resolve once, check every address, connect to those that passed,
// one after the other, and prove who answers.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capabilities/http/http_services.h"
#include "capabilities/http/stream.h"
#include "capabilities/operation.h"
#include "capabilities/origin.h"

namespace cordon {

// I/O thread only.
class Connector final : public std::enable_shared_from_this<Connector> {
 public:
  using OnStream = std::function<void(OperationResult<std::unique_ptr<Stream>>)>;

  Connector(std::shared_ptr<HttpServices> services, Origin origin, bool allow_private_addresses,
            OnStream on_stream);

  // Once. May call back before it returns.
  void start();
  // At once. Nobody is called back any more.
  void cancel();
  bool is_done() const noexcept { return !on_stream_; }

 private:
  using Addresses = std::vector<boost::asio::ip::address>;

  void resolve();
  void on_resolved(const Result<Addresses, std::string>& addresses);
  void try_next_address();
  void on_connected(const boost::system::error_code& error);
  void secure();
  // Calls `on_late` unless another step begins within `timeout`.
  void begin_step(std::chrono::milliseconds timeout, std::function<void()> on_late);
  // Handlers of earlier steps may still be under way.
  bool is_current(unsigned step) const noexcept { return on_stream_ && step == step_; }
  void fail(std::string_view what);
  void end(OperationResult<std::unique_ptr<Stream>> result);

  std::shared_ptr<HttpServices> services_;
  Origin origin_;
  bool allow_private_addresses_;
  OnStream on_stream_;   // empty once called or cancelled
  Addresses addresses_;  // permitted ones
  std::size_t next_ = 0;
  unsigned step_ = 0;
  std::string last_problem_ = "name not found";
  boost::asio::ip::tcp::socket socket_;
  std::unique_ptr<Stream> stream_;
  boost::asio::steady_timer timer_;
};

}  // namespace cordon
