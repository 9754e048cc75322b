#pragma once
// Where frames go to and come from. After a failure every further call fails: `closed()` is final.

#include <chrono>
#include <deque>
#include <optional>

#include "engine/script/wire.h"
#include "messages/look_back_off.h"

namespace cordon::engine {

class Channel {
 public:
  virtual ~Channel() = default;

  virtual bool write(const Payload& frame) = 0;
  // Blocks for one frame; empty when the channel is closed.
  virtual Payload read() = 0;
  // Waits until read() will not block, at most `timeout`. True as well when the channel is closed.
  virtual bool wait(std::chrono::nanoseconds timeout) = 0;
  virtual bool closed() const noexcept = 0;
};

// The child's descriptor, a stream. Does not own it. Uses read, writev, poll and sched_yield
// only.
//
// Before it sleeps until there is an answer to what it wrote, it looks for one a little while, and
// the more rarely the less that helps (docs/decisions/038).
//
// While it cannot write it reads: a host that waits for its replies to be taken before it reads on
// is never waited for (docs/decisions/003).
class DescriptorChannel final : public Channel {
 public:
  explicit DescriptorChannel(int fd) noexcept : fd_(fd) {}

  bool write(const Payload& frame) override;
  Payload read() override;
  bool wait(std::chrono::nanoseconds timeout) override;
  bool closed() const noexcept override { return closed_; }

 private:
  bool wait_for(short events, int timeout_ms);
  void receive();
  void look_for_answer();

  int fd_;
  FrameDecoder decoder_{kMaxPayloadBytes};
  std::deque<Payload> received_;
  bool asked_ = false;  // since a frame was last read
  LookBackOff looks_;
  bool closed_ = false;
};

// Has no other end: every capability call is answered with one text, everything else is dropped.
class WarmUpChannel final : public Channel {
 public:
  bool write(const Payload& frame) override;
  Payload read() override;
  bool wait(std::chrono::nanoseconds timeout) override;
  bool closed() const noexcept override { return false; }

 private:
  std::deque<Payload> replies_;
};

}  // namespace cordon::engine
