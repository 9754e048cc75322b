#include "actors/process/child_link.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include <boost/asio/post.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "actors/process/pidfd.h"
#include "actors/process/start_failure.h"
#include "actors/process/watch.h"

namespace cordon {

namespace asio = boost::asio;

namespace {

// Above this, a child that does not read its replies gets no further request read.
constexpr std::size_t kMaxUnsentBytes = std::size_t{4} << 20;

// Beside the guest's memory, so that the engine can still say that the limit was reached.
constexpr rlim_t kEngineSlackBytes = rlim_t{16} << 20;

bool is_fatal_signal(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGSYS;
}

std::chrono::microseconds to_micros(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

Result<std::shared_ptr<ChildLink>, StartFailure> ChildLink::adopt(
    asio::io_context& io, ChildProcess process, std::function<void(const End&)> on_end) {
  std::shared_ptr<ChildLink> link(new ChildLink(io, process, std::move(on_end)));
  auto failure = watch(link->socket_, process.channel, asio::local::stream_protocol());
  if (!failure) failure = watch(link->pidfd_, process.pidfd);
  if (!failure) return link;
  send_signal(process.pidfd.get(), SIGKILL);
  cordon::reap(process.pidfd.get());
  link->exit_.emplace();
  return *std::move(failure);
}

ChildLink::ChildLink(asio::io_context& io, ChildProcess& process,
                     std::function<void(const End&)> on_end)
    : expectation_(asio::use_service<Expectation>(io)),
      socket_(io),
      pidfd_(io),
      pid_(process.pid),
      zygote_(process.zygote),
      base_data_bytes_(process.base_data_bytes),
      lease_(std::move(process.lease)),
      on_end_(std::move(on_end)) {}

ChildLink::~ChildLink() { abandon(); }

std::optional<StartFailure> ChildLink::start(const Child::Limits& limits, Child::Events events) {
  // RLIMIT_DATA counts what the warm engine already uses as well.
  const rlim_t data = base_data_bytes_ + limits.memory_bytes + kEngineSlackBytes;
  const rlimit limit{data, data};
  if (::prlimit(pid_, RLIMIT_DATA, &limit, nullptr) != 0) {
    // The usual cause: the host's own limit, which its children inherit, is lower.
    return system_failure(
        "resource limits", "limiting a child to " + std::to_string(data) + " bytes of data failed",
        errno, "raise the limit of data (RLIMIT_DATA, ulimit -d), or give the call less memory");
  }
  limits_ = limits;
  asio::post(socket_.get_executor(),
             [self = shared_from_this(), events = std::move(events)]() mutable {
               self->events_ = std::move(events);
               self->decoder_.emplace(self->limits_.max_frame_bytes);
               self->begin_reading();
               self->watch_exit();
             });
  return std::nullopt;
}

void ChildLink::begin_reading() {
  if (reading_ || broken_) return;
  reading_ = true;
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](auto error) {
    self->reading_ = false;
    if (!error && !self->broken_) self->on_readable();
  });
}

void ChildLink::on_readable() {
  const ssize_t count = receive();
  if (broken_ || count == 0) return;  // the end of the process follows
  if (count < 0 && errno != EAGAIN && errno != EINTR) return;
  if (!may_read()) {
    paused_ = true;
    // What was settled in between has not seen the flag.
    if (!may_read() || !paused_.exchange(false)) return;
  }
  begin_reading();
}

void ChildLink::break_off(KillReason reason) {
  broken_ = true;
  decoder_.reset();
  kill(reason);
}

// As ::recv. Breaks off when what came is none of ours, or more than this host can hold.
ssize_t ChildLink::receive() {
  const auto read = [this](std::span<std::byte> into) {
    return ::recv(socket_.native_handle(), into.data(), into.size(), MSG_DONTWAIT);
  };
  const auto on_frame = [this](Payload frame) {
    expectation_.set();
    ++unanswered_frames_;
    unanswered_bytes_ += static_cast<std::int64_t>(frame.bytes().size());
    if (events_.frame) events_.frame(std::move(frame));
  };
  try {
    const ssize_t count = decoder_->receive(read, on_frame);
    if (count > 0) bytes_out_ += static_cast<std::uint64_t>(count);
    if (decoder_->error()) break_off(KillReason::kProtocol);
    return count;
  } catch (const std::bad_alloc&) {
    break_off(KillReason::kOutOfMemory);
    return 0;
  }
}

bool ChildLink::may_read() const {
  return unanswered_frames_.load() < limits_.max_unanswered_frames &&
         unanswered_bytes_.load() < static_cast<std::int64_t>(limits_.max_unanswered_bytes);
}

void ChildLink::acknowledge(std::size_t bytes) {
  {
    const std::lock_guard lock(send_mutex_);
    if (unsent_bytes_ > kMaxUnsentBytes) {
      ++withheld_frames_;
      withheld_bytes_ += static_cast<std::int64_t>(bytes);
      return;
    }
  }
  settle(1, static_cast<std::int64_t>(bytes));
}

void ChildLink::settle(std::int64_t frames, std::int64_t bytes) {
  unanswered_frames_ -= frames;
  unanswered_bytes_ -= bytes;
  if (!may_read() || !paused_.exchange(false)) return;
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->begin_reading(); });
}

void ChildLink::send(const Payload& frame) {
  const std::size_t total = kFrameHeaderBytes + frame.bytes().size();
  bytes_in_ += total;

  const std::lock_guard lock(send_mutex_);
  std::size_t sent = 0;
  if (unsent_.empty()) {
    const ssize_t count = send_frame_part(socket_.native_handle(), frame, 0);
    if (count > 0) sent = static_cast<std::size_t>(count);
    if (sent == total) return;
    if (count < 0 && errno != EAGAIN) return;  // the child is gone; its exit tells
    front_sent_ = sent;
  }
  unsent_.push_back(frame);
  unsent_bytes_ += total - sent;
  if (!flushing_) {
    flushing_ = true;
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->flush_later(); });
  }
}

void ChildLink::flush_later() {
  socket_.async_wait(asio::socket_base::wait_write, [self = shared_from_this()](auto error) {
    if (!error) self->flush();
  });
}

// As much as the socket takes now.
void ChildLink::send_unsent() {
  while (!unsent_.empty()) {
    const Payload& frame = unsent_.front();
    const ssize_t count = send_frame_part(socket_.native_handle(), frame, front_sent_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) break;
    front_sent_ += static_cast<std::size_t>(count);
    unsent_bytes_ -= static_cast<std::size_t>(count);
    if (front_sent_ < kFrameHeaderBytes + frame.bytes().size()) return;
    unsent_.pop_front();
    front_sent_ = 0;
  }
  unsent_.clear();
  unsent_bytes_ = 0;
}

void ChildLink::flush() {
  const std::lock_guard lock(send_mutex_);
  send_unsent();
  if (unsent_bytes_ <= kMaxUnsentBytes) {
    settle(std::exchange(withheld_frames_, 0), std::exchange(withheld_bytes_, 0));
  }
  if (unsent_.empty()) {
    flushing_ = false;
  } else {
    flush_later();
  }
}

void ChildLink::kill(KillReason reason) {
  auto none = KillReason::kNone;
  killed_.compare_exchange_strong(none, reason);
  const std::lock_guard lock(reap_mutex_);
  if (!exit_) send_signal(pidfd_.native_handle(), SIGKILL);
}

std::optional<std::chrono::microseconds> ChildLink::cpu_time() const {
  // The pid cannot be reused before it is reaped, and reaping takes the same lock.
  const std::lock_guard lock(reap_mutex_);
  if (exit_) return std::nullopt;
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
    return std::nullopt;
  }
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

void ChildLink::watch_exit() {
  pidfd_.async_wait(asio::posix::stream_descriptor::wait_read,
                    [self = shared_from_this()](auto error) {
                      if (!error) self->on_exit();
                    });
}

// What the child wrote before it died is still in the socket; the kernel bounds how much.
void ChildLink::drain() {
  while (decoder_) {
    const ssize_t count = receive();
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
  }
}

void ChildLink::on_exit() {
  if (killed_.load() != KillReason::kDone) drain();
  const bool first = reap();
  boost::system::error_code ignored;
  socket_.cancel(ignored);
  const Child::Events events = std::exchange(events_, {});
  if (first && events.exited) events.exited(*exit_);
}

bool ChildLink::reap() {
  End how{zygote_, false};
  {
    const std::lock_guard lock(reap_mutex_);
    if (exit_) return false;
    const ProcessEnd end = cordon::reap(pidfd_.native_handle());
    ChildExit exit;
    exit.killed = killed_.load();
    exit.bytes_in = bytes_in_.load();
    exit.bytes_out = bytes_out_.load();
    exit.signalled = end.signal != 0;
    exit.status = exit.signalled ? end.signal : end.code;
    if (end.usage) {
      exit.cpu = to_micros(end.usage->ru_utime) + to_micros(end.usage->ru_stime);
      exit.peak_memory_bytes = static_cast<std::uint64_t>(end.usage->ru_maxrss) * 1024;
    }
    how.layout_known = is_fatal_signal(end.signal);
    exit_ = exit;
    lease_.reset();
  }
  on_end_(how);
  return true;
}

void ChildLink::abandon() {
  kill(KillReason::kAbandoned);
  reap();
}

namespace {

class OwnedChild final : public Child {
 public:
  explicit OwnedChild(std::shared_ptr<ChildLink> link) : link_(std::move(link)) {}
  ~OwnedChild() override { link_->abandon(); }
  std::optional<StartFailure> start(const Limits& limits, Events events) override {
    return link_->start(limits, std::move(events));
  }
  void send(const Payload& frame) override { link_->send(frame); }
  void acknowledge(std::size_t bytes) override { link_->acknowledge(bytes); }
  void kill(KillReason reason) override { link_->kill(reason); }
  std::optional<std::chrono::microseconds> cpu_time() const override { return link_->cpu_time(); }

 private:
  std::shared_ptr<ChildLink> link_;
};

}  // namespace

std::shared_ptr<Child> make_child(std::shared_ptr<ChildLink> link) {
  return std::make_shared<OwnedChild>(std::move(link));
}

}  // namespace cordon
