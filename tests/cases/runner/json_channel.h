#pragma once
// What the runner and the parent say to each other: one JSON text a message, over a stream socket.

#include <chrono>
#include <optional>

#include "messages/unique_fd.h"
#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

class JsonChannel {
 public:
  explicit JsonChannel(UniqueFd socket) : socket_(std::move(socket)) {}

  // Throws std::runtime_error when the peer is gone.
  void send(const Json& message);
  // Nothing when the peer is gone or the time is up; `timeout` none: waits for ever.
  std::optional<Json> receive(std::optional<std::chrono::milliseconds> timeout = std::nullopt);
  // Why the last receive() gave nothing.
  bool timed_out() const noexcept { return timed_out_; }

 private:
  UniqueFd socket_;
  std::string buffer_;
  bool timed_out_ = false;
};

}  // namespace cordon::cases
