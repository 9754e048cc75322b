#include "tests/http/support/local_server.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace cordon::testing {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

std::size_t content_length(std::string_view header) {
  constexpr std::string_view kName = "Content-Length: ";
  const std::size_t at = header.find(kName);
  return at == std::string_view::npos
             ? 0
             : std::stoul(std::string(header.substr(at + kName.size(), 20)));
}

asio::ssl::context server_context(const Certificate& certificate, int only_version) {
  asio::ssl::context context(asio::ssl::context::tls_server);
  context.use_certificate_chain(asio::buffer(certificate.chain_pem));
  context.use_private_key(asio::buffer(certificate.key_pem), asio::ssl::context::pem);
  if (only_version != 0) {
    SSL_CTX_set_min_proto_version(context.native_handle(), only_version);
    SSL_CTX_set_max_proto_version(context.native_handle(), only_version);
    // Versions this old need it.
    SSL_CTX_set_security_level(context.native_handle(), 0);
  }
  return context;
}

}  // namespace

bool Peer::handshake() {
  error_code error;
  if (tls_) tls_->handshake(asio::ssl::stream_base::server, error);
  return !error;
}

bool Peer::read_more() {
  std::array<char, 16384> piece;
  error_code error;
  const std::size_t count = tls_ ? tls_->read_some(asio::buffer(piece), error)
                                 : socket_.read_some(asio::buffer(piece), error);
  buffer_.append(piece.data(), count);
  return !error;
}

std::string Peer::read_request() {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!read_more()) return {};
  }
  const std::size_t size = end + 4 + content_length(buffer_.substr(0, end));
  while (buffer_.size() < size) {
    if (!read_more()) return {};
  }
  std::string request = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return request;
}

bool Peer::send(std::string_view bytes) {
  error_code error;
  const auto buffer = asio::buffer(bytes.data(), bytes.size());
  if (tls_) {
    asio::write(*tls_, buffer, error);
  } else {
    asio::write(socket_, buffer, error);
  }
  return !error;
}

void Peer::wait_for_end() {
  while (read_more()) buffer_.clear();
}

bool Peer::gone_within(std::chrono::milliseconds time) {
  pollfd wait{socket_.native_handle(), POLLRDHUP, 0};
  return ::poll(&wait, 1, static_cast<int>(time.count())) > 0;
}

void Peer::close() {
  error_code ignored;
  if (tls_) tls_->shutdown(ignored);
  cut();
}

void Peer::cut() { ::shutdown(socket_.native_handle(), SHUT_RDWR); }

void Peer::reset() { resets_ = true; }

void Peer::end() {
  if (!resets_) return cut();
  error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

LocalServer::LocalServer(Script script, std::optional<Certificate> certificate,
                         const std::string& address, int only_tls_version)
    : script_(std::move(script)),
      acceptor_(io_, {asio::ip::make_address(address), 0}),
      port_(acceptor_.local_endpoint().port()) {
  if (certificate) tls_.emplace(server_context(*certificate, only_tls_version));
  accepting_ = std::thread([this] { accept_all(); });
}

LocalServer::~LocalServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& peer : peers_) peer->cut();
  }
  ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
  accepting_.join();
  for (std::thread& thread : threads_) thread.join();
}

std::string LocalServer::origin(const std::string& host) const {
  return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port_);
}

void LocalServer::accept_all() {
  for (;;) {
    error_code error;
    asio::ip::tcp::socket socket(io_);
    acceptor_.accept(socket, error);
    const std::lock_guard lock(mutex_);
    if (error || stopping_) return;
    error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    const auto peer =
        std::make_shared<Peer>(std::move(socket), tls_ ? &*tls_ : nullptr, connections_++);
    peers_.push_back(peer);
    threads_.emplace_back([this, peer] { serve(*peer); });
  }
}

void LocalServer::serve(Peer& peer) {
  if (peer.handshake()) script_(peer);
  // Under the lock, so that nobody interrupts what is no longer there.
  const std::lock_guard lock(mutex_);
  peer.end();
  ++ended_;
}

LocalServer::Script always(std::string response) {
  return [response = std::move(response)](Peer& peer) {
    while (!peer.read_request().empty()) {
      if (!peer.send(response)) return;
    }
  };
}

std::string ok(std::string_view body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

}  // namespace cordon::testing
