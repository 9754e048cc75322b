#pragma once
// One connection to one origin: an exchange at a time, kept open in between.
//
// Invariant: it always has exactly one read pending, so that the end of the connection, or bytes
// that nobody asked for, are noticed the moment they come; after either it is never used again.

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "capabilities/http/fetched_response.h"
#include "capabilities/http/response_reader.h"
#include "capabilities/http/stream.h"
#include "capabilities/origin.h"

namespace cordon {

// I/O thread only.
class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  // The connection ended before anything of a response had come: the server may never have seen
  // the request.
  struct Unanswered {
    std::string_view why;
  };
  // It broke in the middle, for this reason.
  struct Broken {
    std::string_view why;
  };
  using End = std::variant<FetchedResponse, ResponseProblem, Unanswered, Broken>;
  using OnEnd = std::function<void(End)>;

  // `on_lost` is called at most once, when the connection ends while it is idle.
  Connection(boost::asio::io_context& io, Origin origin, std::unique_ptr<Stream> stream,
             std::chrono::milliseconds idle_timeout, std::function<void()> on_lost);

  const Origin& origin() const noexcept { return origin_; }
  bool is_open() const noexcept { return open_; }
  // Whether it can take a request now.
  bool is_free() { return open_ && !exchange_ && stream_->is_quiet(); }
  bool is_idle() const noexcept { return open_ && !exchange_; }

  // Not while there is another. Ends in one call of `on_end`, after which the connection is either
  // idle or closed.
  void exchange(std::shared_ptr<const std::string> request, ResponseReader reader, OnEnd on_end);
  // At once. Nobody is called back any more.
  void close();

 private:
  struct Exchange {
    ResponseReader reader;
    OnEnd on_end;
    bool answered = false;  // a byte has come
    bool sent = false;      // the whole request
  };

  void read();
  void on_read(const boost::system::error_code& error, std::size_t count);
  void on_read_error(const boost::system::error_code& error);
  void feed();
  void finish(End end);
  void wait_idle();
  void lose();

  Origin origin_;
  std::unique_ptr<Stream> stream_;
  std::chrono::milliseconds idle_timeout_;
  std::function<void()> on_lost_;
  boost::asio::steady_timer idle_timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<Exchange> exchange_;
  unsigned exchanges_ = 0;
  bool open_ = true;
};

}  // namespace cordon
