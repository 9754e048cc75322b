#include "capabilities/http/connection.h"

#include <boost/asio/error.hpp>
#include <utility>

#include "capabilities/http/network_errors.h"

namespace cordon {

namespace {

namespace asio = boost::asio;

constexpr std::size_t kReadBytes = std::size_t{16} << 10;

std::string_view view(const boost::beast::flat_buffer& buffer) {
  return {static_cast<const char*>(buffer.data().data()), buffer.size()};
}

}  // namespace

Connection::Connection(asio::io_context& io, Origin origin, std::unique_ptr<Stream> stream,
                       std::chrono::milliseconds idle_timeout, std::function<void()> on_lost)
    : origin_(std::move(origin)),
      stream_(std::move(stream)),
      idle_timeout_(idle_timeout),
      on_lost_(std::move(on_lost)),
      idle_timer_(io) {}

void Connection::exchange(std::shared_ptr<const std::string> request, ResponseReader reader,
                          OnEnd on_end) {
  idle_timer_.cancel();
  exchange_.emplace(Exchange{std::move(reader), std::move(on_end)});
  const bool is_first = ++exchanges_ == 1;
  // A server may answer before it has read everything: both directions go on at the same time. A
  // write that fails says nothing; the read that fails with it does.
  stream_->write(asio::buffer(*request), [self = shared_from_this(), request, number = exchanges_](
                                             const boost::system::error_code& error, std::size_t) {
    if (self->exchange_ && self->exchanges_ == number) self->exchange_->sent = !error;
  });
  if (is_first) read();
}

void Connection::close() {
  open_ = false;
  exchange_.reset();
  on_lost_ = nullptr;
  idle_timer_.cancel();
  stream_->close();
}

void Connection::read() {
  stream_->read_some(
      buffer_.prepare(kReadBytes),
      [self = shared_from_this()](const boost::system::error_code& error, std::size_t count) {
        if (self->open_) self->on_read(error, count);
      });
}

void Connection::on_read(const boost::system::error_code& error, std::size_t count) {
  if (!exchange_) return lose();
  buffer_.commit(count);
  if (count != 0) exchange_->answered = true;
  if (error) return on_read_error(error);
  feed();
}

void Connection::on_read_error(const boost::system::error_code& error) {
  if (!exchange_->answered) return finish(Unanswered{describe(error)});
  if (error != asio::error::eof) return finish(Broken{describe(error)});
  exchange_->reader.put_end();
  if (const auto problem = exchange_->reader.problem()) return finish(*problem);
  finish(exchange_->reader.take());
}

void Connection::feed() {
  ResponseReader& reader = exchange_->reader;
  buffer_.consume(reader.put(view(buffer_)));
  if (const auto problem = reader.problem()) return finish(*problem);
  if (!reader.is_done()) return read();
  // Anything else it has sent already was not asked for.
  const bool reusable = exchange_->sent && buffer_.size() == 0 && reader.keeps_alive();
  FetchedResponse response = reader.take();
  if (!reusable) return finish(std::move(response));
  const OnEnd on_end = std::move(exchange_->on_end);
  exchange_.reset();
  wait_idle();
  on_end(std::move(response));
}

void Connection::finish(End end) {
  const OnEnd on_end = std::move(exchange_->on_end);
  close();
  on_end(std::move(end));
}

void Connection::wait_idle() {
  read();
  idle_timer_.expires_after(idle_timeout_);
  idle_timer_.async_wait(
      [self = shared_from_this(), number = exchanges_](const boost::system::error_code& error) {
        if (!error && self->is_idle() && self->exchanges_ == number) self->lose();
      });
}

void Connection::lose() {
  const auto on_lost = std::move(on_lost_);
  close();
  if (on_lost) on_lost();
}

}  // namespace cordon
