#include "engine/script/channel.h"
#include "engine/script/wire.h"

#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <span>
#include <utility>

namespace cordon::engine {

namespace {

constexpr std::chrono::microseconds kLookFor{80};

}  // namespace

bool DescriptorChannel::write(const Payload& frame) {
  const std::size_t size = kFrameHeaderBytes + frame.bytes().size();
  asked_ = true;
  for (std::size_t written = 0; !closed_ && written < size;) {
    const ssize_t count = write_frame_part(fd_, frame, written);
    if (count > 0) {
      written += static_cast<std::size_t>(count);
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && errno == EAGAIN) {
      if (wait_for(POLLIN | POLLOUT, -1)) receive();
    } else {
      closed_ = true;
    }
  }
  return !closed_;
}

Payload DescriptorChannel::read() {
  look_for_answer();
  while (received_.empty() && !closed_) {
    if (wait_for(POLLIN, -1)) receive();
  }
  if (received_.empty()) return {};
  Payload frame = std::move(received_.front());
  received_.pop_front();
  return frame;
}

bool DescriptorChannel::wait(std::chrono::nanoseconds timeout) {
  if (timeout >= kLookFor) look_for_answer();
  if (closed_ || !received_.empty()) return true;
  // Rounded up: a timer must not be looked at before it is due.
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  constexpr decltype(milliseconds) kMax = std::numeric_limits<int>::max();
  return wait_for(POLLIN, static_cast<int>(std::min(milliseconds, kMax)));
}

// Whether there is something to read; the end of the stream counts.
bool DescriptorChannel::wait_for(short events, int timeout_ms) {
  pollfd entry{fd_, events, 0};
  return ::poll(&entry, 1, timeout_ms) > 0 && (entry.revents & ~POLLOUT) != 0;
}

// Most answers take the host less time than it takes the kernel to wake another CPU.
void DescriptorChannel::look_for_answer() {
  if (!std::exchange(asked_, false) || !received_.empty() || !looks_.is_due()) return;
  const auto end = std::chrono::steady_clock::now() + kLookFor;
  while (received_.empty() && !closed_) {
    receive();
    if (std::chrono::steady_clock::now() >= end) break;
    ::sched_yield();  // the host may be waiting for this very CPU
  }
  looks_.looked(!received_.empty());
}

void DescriptorChannel::receive() {
  const ssize_t count = decoder_.receive(
      [this](std::span<std::byte> into) { return ::read(fd_, into.data(), into.size()); },
      [this](Payload frame) { received_.push_back(std::move(frame)); });
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0 || decoder_.error()) closed_ = true;
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
