#include "engine/script/channel.h"
#include "engine/script/wire.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace cordon::engine {

bool DescriptorChannel::write(const Payload& frame) {
  if (!closed_) closed_ = !write_frame(fd_, frame);
  return !closed_;
}

Payload DescriptorChannel::read() {
  if (closed_) return {};
  Payload frame = read_frame(fd_, kMaxPayloadBytes);
  closed_ = frame.empty();
  return frame;
}

bool DescriptorChannel::wait(std::chrono::nanoseconds timeout) {
  if (closed_) return true;
  // Rounded up: a timer must not be looked at before it is due.
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  constexpr decltype(milliseconds) kMax = std::numeric_limits<int>::max();
  pollfd entry{fd_, POLLIN, 0};
  const int ready = ::poll(&entry, 1, static_cast<int>(std::min(milliseconds, kMax)));
  return ready > 0;
}

bool WarmUpChannel::write(const Payload& frame) {
  const auto view = Message<wire::ChildFrame>(frame).read();
  if (!view->isRequest()) return true;
  const std::uint64_t id = view->getRequest().getId();
  replies_.push_back(Message<wire::HostFrame>::build([&](wire::HostFrame::Builder host) {
    auto reply = host.initReply();
    reply.setId(id);
    reply.setText("warm");
  }));
  return true;
}

Payload WarmUpChannel::read() {
  if (replies_.empty()) return {};
  Payload reply = std::move(replies_.front());
  replies_.pop_front();
  return reply;
}

bool WarmUpChannel::wait(std::chrono::nanoseconds timeout) {
  if (replies_.empty() && timeout.count() > 0) ::poll(nullptr, 0, 1);
  return !replies_.empty();
}

}  // namespace cordon::engine
