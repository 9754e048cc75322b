#pragma once
// One child process on the host's side: its channel, its end, and its limits.
//
// Reading and waiting happen on the I/O thread. Sending is direct from the caller's thread; what
// the socket does not take waits in a queue. Invariant: whatever happens, the child is killed and
// reaped by the time this object is gone, and `exited` is called at most once, after the last
// frame.

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "actors/process/expectation.h"
#include "actors/process/zygote_client.h"
#include "actors/services.h"
#include "messages/frame.h"

namespace cordon {

class ChildLink : public std::enable_shared_from_this<ChildLink> {
 public:
  // How a child has ended, for the one who keeps children in stock.
  struct End {
    std::uint64_t zygote = 0;  // generation
    // Of a signal that may mean that its address layout is known: SIGSEGV, SIGBUS, SIGILL, SIGSYS.
    bool layout_known = false;
  };

  // `on_end` is called once, on whichever thread reaps the child; not at all for a child that
  // cannot be watched: that one is killed and reaped at once.
  static Result<std::shared_ptr<ChildLink>, StartFailure> adopt(
      boost::asio::io_context& io, ChildProcess process, std::function<void(const End&)> on_end);
  ~ChildLink();
  ChildLink(const ChildLink&) = delete;
  ChildLink& operator=(const ChildLink&) = delete;

  std::optional<StartFailure> start(const Child::Limits& limits, Child::Events events);
  void send(const Payload& frame);
  void acknowledge(std::size_t bytes);
  void kill(KillReason reason);
  std::optional<std::chrono::microseconds> cpu_time() const;

  // Kills and waits for the end; no event comes afterwards. For owners that go away.
  void abandon();

 private:
  ChildLink(boost::asio::io_context& io, ChildProcess& process,
            std::function<void(const End&)> on_end);
  void begin_reading();
  void watch_exit();
  void on_readable();
  ssize_t receive();
  void break_off(KillReason reason);
  bool may_read() const;
  void settle(std::int64_t frames, std::int64_t bytes);
  void drain();
  void on_exit();
  void send_unsent();
  void flush_later();
  void flush();
  bool reap();

  Expectation& expectation_;  // of the I/O thread
  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::posix::stream_descriptor pidfd_;
  const pid_t pid_;
  const std::uint64_t zygote_;
  const std::uint64_t base_data_bytes_;
  std::shared_ptr<void> lease_;
  std::function<void(const End&)> on_end_;

  // I/O thread only.
  Child::Events events_;
  std::optional<FrameDecoder> decoder_;
  bool reading_ = false;
  bool broken_ = false;

  Child::Limits limits_;  // set by start(), before anything reads it
  std::atomic<std::int64_t> unanswered_frames_{0};
  std::atomic<std::int64_t> unanswered_bytes_{0};
  std::atomic<bool> paused_{false};  // not reading until something is settled
  std::atomic<KillReason> killed_{KillReason::kNone};
  std::atomic<std::uint64_t> bytes_in_{0};
  std::atomic<std::uint64_t> bytes_out_{0};

  std::mutex send_mutex_;
  std::deque<Payload> unsent_;    // frames
  std::size_t front_sent_ = 0;    // bytes of the first one, its header included
  std::size_t unsent_bytes_ = 0;  // of all, headers included
  bool flushing_ = false;
  // Dealt with, but the child has not taken the replies yet.
  std::int64_t withheld_frames_ = 0;
  std::int64_t withheld_bytes_ = 0;

  mutable std::mutex reap_mutex_;
  std::optional<ChildExit> exit_;
};

// The Child that owns a link: the actor's handle.
std::shared_ptr<Child> make_child(std::shared_ptr<ChildLink> link);

}  // namespace cordon
