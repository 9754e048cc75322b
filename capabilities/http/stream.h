#pragma once
// One TCP connection, plain or with TLS over it: bytes in, bytes out.

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <functional>
#include <optional>
#include <string_view>

#include "capabilities/origin.h"
#include "messages/result.h"

namespace cordon {

// Used from the I/O thread. Stays in place and alive until every handler was called.
class Stream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using OnTransfer = std::function<void(const boost::system::error_code&, std::size_t)>;
  // None when the server is who it should be; else why not.
  using OnSecured = std::function<void(std::optional<std::string_view>)>;

  explicit Stream(Socket socket);

  void secure(boost::asio::ssl::context& context, const Origin& origin, OnSecured on_secured);
  // One read and one write may be pending at once.
  void read_some(boost::asio::mutable_buffer buffer, OnTransfer on_read);
  void write(boost::asio::const_buffer bytes, OnTransfer on_written);  // all of them

  // Whether the server has said nothing that was not yet read, not even goodbye.
  bool is_quiet();
  // At once; pending operations end as aborted.
  void close();

 private:
  Socket socket_;
  std::optional<boost::asio::ssl::stream<Socket&>> tls_;
};

}  // namespace cordon
