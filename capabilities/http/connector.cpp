#include "capabilities/http/connector.h"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "capabilities/http/network_errors.h"

namespace cordon {

namespace {

namespace asio = boost::asio;
namespace ip = asio::ip;

constexpr const char* kLocalhost = "localhost";

}  // namespace

Connector::Connector(std::shared_ptr<HttpServices> services, Origin origin,
                     bool allow_private_addresses, OnStream on_stream)
    : services_(std::move(services)),
      origin_(std::move(origin)),
      allow_private_addresses_(allow_private_addresses),
      on_stream_(std::move(on_stream)),
      socket_(services_->io),
      timer_(services_->io) {}

void Connector::start() {
  if (origin_.host_kind != Origin::HostKind::kName) {
    // An address that was granted as such needs no other grant.
    addresses_ = {ip::make_address(origin_.host)};
    try_next_address();
  } else if (origin_.host == kLocalhost) {
    // This name means this machine, whatever a resolver would say.
    addresses_ = {ip::address_v4::loopback(), ip::address_v6::loopback()};
    try_next_address();
  } else {
    resolve();
  }
}

void Connector::resolve() {
  services_->resolver->resolve(
      origin_.host, [self = shared_from_this()](Result<Addresses, std::string> addresses) {
        asio::post(self->services_->io,
                   [self, addresses = std::move(addresses)] { self->on_resolved(addresses); });
      });
}

void Connector::on_resolved(const Result<Addresses, std::string>& addresses) {
  if (!on_stream_) return;
  if (!addresses) return fail(addresses.error());
  auto permitted = permitted_addresses(*addresses, allow_private_addresses_);
  if (!permitted) return end(OperationError(private_address_refusal(origin_, permitted.error())));
  addresses_ = std::move(*permitted);
  try_next_address();
}

void Connector::try_next_address() {
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (next_ == addresses_.size()) return fail(last_problem_);
  const ip::tcp::endpoint endpoint(addresses_[next_++], origin_.port);
  begin_step(services_->limits.connect_timeout, [this] {
    last_problem_ = describe(asio::error::timed_out);
    try_next_address();
  });
  socket_.async_connect(
      endpoint, [self = shared_from_this(), step = step_](const boost::system::error_code& error) {
        if (self->is_current(step)) self->on_connected(error);
      });
}

void Connector::on_connected(const boost::system::error_code& error) {
  if (error) {
    last_problem_ = describe(error);
    return try_next_address();
  }
  stream_ = std::make_unique<Stream>(std::move(socket_));
  if (origin_.scheme == "https") return secure();
  end(std::move(stream_));
}

void Connector::secure() {
  begin_step(services_->limits.handshake_timeout, [this] { fail("TLS handshake timed out"); });
  stream_->secure(services_->tls, origin_, [self = shared_from_this(), step = step_](auto problem) {
    if (!self->is_current(step)) return;
    if (problem) return self->fail(*problem);
    self->end(std::move(self->stream_));
  });
}

void Connector::begin_step(std::chrono::milliseconds timeout, std::function<void()> on_late) {
  timer_.expires_after(timeout);
  timer_.async_wait([self = shared_from_this(), on_late = std::move(on_late),
                     step = ++step_](const boost::system::error_code& error) {
    if (!error && self->is_current(step)) on_late();
  });
}

void Connector::fail(std::string_view what) { end(OperationError(network_failure(origin_, what))); }

void Connector::end(OperationResult<std::unique_ptr<Stream>> result) {
  const OnStream on_stream = std::exchange(on_stream_, nullptr);
  cancel();
  on_stream(std::move(result));
}

void Connector::cancel() {
  on_stream_ = nullptr;
  boost::system::error_code ignored;
  timer_.cancel();
  socket_.close(ignored);
  if (stream_) stream_->close();
}

}  // namespace cordon
