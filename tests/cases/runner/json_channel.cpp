#include "tests/cases/runner/json_channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

namespace cordon::cases {

void JsonChannel::send(const Json& message) {
  // JSON text has no line breaks of its own.
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t sent = ::send(socket_.get(), text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("the other process is gone");
    at += static_cast<std::size_t>(sent);
  }
}

std::optional<Json> JsonChannel::receive(std::optional<std::chrono::milliseconds> timeout) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + timeout.value_or(std::chrono::milliseconds(0));
  timed_out_ = false;
  for (std::size_t searched = 0;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      Json message = Json::parse(buffer_.substr(0, end));
      buffer_.erase(0, end + 1);
      return message;
    }
    searched = buffer_.size();
    int wait_ms = -1;
    if (timeout) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      wait_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    pollfd wait{socket_.get(), POLLIN, 0};
    if (::poll(&wait, 1, wait_ms) == 0) {
      timed_out_ = true;
      return std::nullopt;
    }
    char piece[65536];
    const ssize_t got = ::recv(socket_.get(), piece, sizeof piece, 0);
    if (got <= 0) return std::nullopt;
    buffer_.append(piece, static_cast<std::size_t>(got));
  }
}

}  // namespace cordon::cases
