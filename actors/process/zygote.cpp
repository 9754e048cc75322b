#include "actors/process/zygote.h"

#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "actors/process/pidfd.h"
#include "actors/process/watch.h"
#include "messages/descriptor_passing.h"
#include "messages/spawn.capnp.h"

namespace cordon {

namespace {

// More wait here than in the socket: the kernel limits the descriptors that a user has in flight.
constexpr std::size_t kMaxUnanswered = 64;

// So many in a row lose a zygote. One is not enough: the whole machine may have stood still.
constexpr int kChecks = 5;

StartFailure fork_failure(const std::string& what, int error) {
  return system_failure("fork", what, error, kMoreProcesses);
}

}  // namespace

Result<std::shared_ptr<Zygote>, StartFailure> Zygote::adopt(boost::asio::io_context& io,
                                                            EngineProcess process,
                                                            std::uint64_t generation,
                                                            std::chrono::milliseconds patience) {
  UniqueFd control = process.take_control();
  std::shared_ptr<Zygote> zygote(new Zygote(io, std::move(process), generation, patience));
  if (auto failure = cordon::watch(zygote->control_, control)) return *std::move(failure);
  return zygote;
}

Zygote::Zygote(boost::asio::io_context& io, EngineProcess process, std::uint64_t generation,
               std::chrono::milliseconds patience)
    : control_(io),
      progress_timer_(io),
      process_(std::make_shared<EngineProcess>(std::move(process))),
      generation_(generation),
      base_data_bytes_(process_->ready()->data_bytes),
      patience_(patience) {}

void Zygote::watch(OnLost on_lost) {
  on_lost_ = std::move(on_lost);
  await_answers();
}

void Zygote::fork(ForkOrder order) {
  ++forks_;
  queued_.push_back(std::move(order));
  send_queued();
}

void Zygote::drain() {
  draining_ = true;
  end_if_drained();
}

std::deque<ForkOrder> Zygote::close() {
  control_.close();
  progress_timer_.cancel();
  may_send_ = false;
  on_lost_ = {};
  std::deque<ForkOrder> orders;
  for (SentOrder& sent : sent_) orders.push_back(std::move(sent.order));
  for (ForkOrder& order : queued_) orders.push_back(std::move(order));
  sent_.clear();
  queued_.clear();
  process_.reset();
  return orders;
}

void Zygote::send_queued() {
  while (may_send_ && !queued_.empty() && sent_.size() < kMaxUnanswered) {
    ForkOrder order = std::move(queued_.front());
    queued_.pop_front();
    if (!send(order)) queued_.push_front(std::move(order));
  }
}

// False, with `order` untouched, when it cannot be sent now.
bool Zygote::send(ForkOrder& order) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) {
    order.on_child(fork_failure("making the child's channel failed", errno));
    return true;
  }
  UniqueFd channel(ends[0]);
  UniqueFd child_end(ends[1]);
  const auto request = Message<wire::ForkRequest>::build([&](wire::ForkRequest::Builder builder) {
    builder.setSerial(next_serial_);
    builder.setRehearse(order.use == ZygoteClient::Use::kLater);
  });
  const int descriptor = child_end.get();
  if (send_packet(control_.native_handle(), request, std::span(&descriptor, 1), MSG_DONTWAIT)) {
    sent_.push_back({next_serial_++, std::move(order), std::move(channel), std::move(child_end)});
    await_progress();
    return true;
  }
  if (errno == ETOOMANYREFS) {
    order.on_child(fork_failure("passing the child's channel failed", errno));
    return true;
  }
  // Any error but a full socket also ends the channel, and is dealt with when that shows.
  may_send_ = false;
  if (errno == EAGAIN) await_room();
  return false;
}

void Zygote::await_room() {
  control_.async_wait(boost::asio::posix::stream_descriptor::wait_write,
                      [self = shared_from_this()](const boost::system::error_code& error) {
                        if (error) return;
                        self->may_send_ = true;
                        self->send_queued();
                      });
}

void Zygote::await_answers() {
  control_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](const boost::system::error_code& error) {
                        if (!error) self->take_answers();
                      });
}

void Zygote::take_answers() {
  while (take_answer()) {
    if (!control_.is_open()) return;  // a callback has closed it
  }
  if (errno != EAGAIN) return lose();
  send_queued();
  end_if_drained();
  if (control_.is_open()) await_answers();
}

// False when there is none, or none that makes sense: errno is then EAGAIN, or not.
bool Zygote::take_answer() {
  if (!sent_.empty()) sent_.front().place.reset();
  Packet packet = receive_packet(control_.native_handle(), MSG_DONTWAIT);
  if (packet.payload.empty()) return errno == EMFILE && miss_answer();
  const Message<wire::EngineFrame> message(std::move(packet.payload));
  const auto frame = message.read();
  const bool in_order =
      frame->isForked() && !sent_.empty() && frame->getForked().getSerial() == sent_.front().serial;
  const int error = in_order ? frame->getForked().getError() : 0;
  if (!in_order || packet.descriptors.size() != (error == 0 ? 1U : 0U)) {
    errno = EPROTO;
    return false;
  }
  SentOrder sent = std::move(sent_.front());
  sent_.pop_front();
  if (error != 0) {
    sent.order.on_child(fork_failure("the zygote's clone failed", error));
    return true;
  }
  ChildProcess child;
  child.lease = process_;
  child.channel = std::move(sent.channel);
  child.pidfd = std::move(packet.descriptors.front());
  child.pid = pid_of(child.pidfd.get());
  if (child.pid < 0 && errno == EMFILE) {  // without it, no limit can be set
    child.channel.reset();
    send_signal(child.pidfd.get(), SIGKILL);
    reap(child.pidfd.get());
    sent.order.on_child(fork_failure("looking up the child failed", EMFILE));
    return true;
  }
  child.zygote = generation_;
  child.base_data_bytes = base_data_bytes_;
  sent.order.on_child(std::move(child));
  return true;
}

// The answer to the oldest order came, but somebody else took the place that was kept for its
// descriptor. The child ends with its channel; it is reaped with its zygote.
bool Zygote::miss_answer() {
  if (sent_.empty()) return false;
  const SentOrder sent = std::move(sent_.front());
  sent_.pop_front();
  sent.order.on_child(fork_failure("receiving the child failed", EMFILE));
  return true;
}

// One timer for all orders: each check looks whether the order that was the oldest at the last one
// has been answered since.
void Zygote::await_progress() {
  if (std::exchange(progress_is_awaited_, true)) return;
  progress_timer_.expires_after(patience_ / kChecks);
  progress_timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error && self->control_.is_open()) self->check_progress();
  });
}

void Zygote::check_progress() {
  progress_is_awaited_ = false;
  if (sent_.empty()) return;
  if (std::exchange(oldest_, sent_.front().serial) != sent_.front().serial) {
    checks_without_progress_ = 0;
  } else if (++checks_without_progress_ == kChecks) {
    // Its children need its namespace, not it.
    send_signal(process_->process(), SIGKILL);
    return lose();
  }
  await_progress();
}

void Zygote::lose() {
  for (SentOrder& sent : sent_) ++sent.order.attempts;
  const OnLost on_lost = std::move(on_lost_);
  auto orders = close();
  if (on_lost) on_lost(std::move(orders));
}

void Zygote::end_if_drained() {
  if (draining_ && queued_.empty() && sent_.empty()) close();
}

}  // namespace cordon
