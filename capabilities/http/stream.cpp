#include "capabilities/http/stream.h"

#include <sys/socket.h>

#include <boost/asio/write.hpp>
#include <cerrno>
#include <utility>

#include "capabilities/http/tls.h"

namespace cordon {

namespace asio = boost::asio;

Stream::Stream(Socket socket) : socket_(std::move(socket)) {
  // Requests are written whole: waiting for more to send would only cost time.
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void Stream::secure(asio::ssl::context& context, const Origin& origin, OnSecured on_secured) {
  tls_.emplace(socket_, context);
  if (!expect_host(tls_->native_handle(), origin)) return on_secured("TLS handshake failed");
  tls_->async_handshake(
      asio::ssl::stream_base::client,
      [this, on_secured = std::move(on_secured)](const boost::system::error_code& error) {
        if (!error) return on_secured(std::nullopt);
        on_secured(handshake_problem(tls_->native_handle()));
      });
}

void Stream::read_some(asio::mutable_buffer buffer, OnTransfer on_read) {
  if (tls_) return tls_->async_read_some(buffer, std::move(on_read));
  socket_.async_read_some(buffer, std::move(on_read));
}

void Stream::write(asio::const_buffer bytes, OnTransfer on_written) {
  if (tls_) return asio::async_write(*tls_, bytes, std::move(on_written));
  asio::async_write(socket_, bytes, std::move(on_written));
}

bool Stream::is_quiet() {
  char byte = 0;
  return ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

void Stream::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

}  // namespace cordon
