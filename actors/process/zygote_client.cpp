#include "actors/process/zygote_client.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <deque>
#include <future>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "actors/process/zygote.h"

namespace cordon {

namespace {

constexpr unsigned kMaxStartFailures = 3;
constexpr unsigned kMaxForkAttempts = 3;

using Start = Result<EngineProcess, StartFailure>;

Start start_zygote(const ZygoteOptions& options) {
  EngineProcessOptions process{.executable = options.executable, .arguments = {"zygote"}};
  if (!options.jit) process.arguments.push_back("--jitless");
  return EngineProcess::start(process);
}

}  // namespace

// Everything but the constructor runs on the I/O thread, or after it has stopped.
class ZygoteClient::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& io, ZygoteOptions options, EngineReady engine)
      : io_(io), options_(std::move(options)), engine_(std::move(engine)) {}

  const EngineReady& engine() const noexcept { return engine_; }

  boost::asio::io_context& io() noexcept { return io_; }

  std::optional<StartFailure> adopt(EngineProcess process);
  void fork(ForkOrder order);
  void retire(std::uint64_t generation);
  void shut_down();

 private:
  void start_another();
  void on_started(Start start);
  void on_start_failed(const StartFailure& failure);
  void repeat(std::deque<ForkOrder> orders);
  void drain_current();
  void fail_waiting(const StartFailure& failure);

  boost::asio::io_context& io_;
  ZygoteOptions options_;
  const EngineReady engine_;
  std::shared_ptr<Zygote> current_;
  std::vector<std::weak_ptr<Zygote>> draining_;
  std::deque<ForkOrder> waiting_;  // while there is no current zygote
  std::future<Start> starting_;    // valid while another one is being started
  std::uint64_t generations_ = 0;
  unsigned start_failures_ = 0;  // in a row
  bool closed_ = false;
};

std::optional<StartFailure> ZygoteClient::Impl::adopt(EngineProcess process) {
  auto adopted = Zygote::adopt(io_, std::move(process), ++generations_, options_.patience);
  if (!adopted) return adopted.error();
  drain_current();
  start_failures_ = 0;
  current_ = *std::move(adopted);
  current_->watch(
      [weak = weak_from_this(), generation = generations_](std::deque<ForkOrder> orders) {
        const auto self = weak.lock();
        if (!self) return;
        if (self->current_ && self->current_->generation() == generation) self->current_.reset();
        self->repeat(std::move(orders));
      });
  for (ForkOrder& order : std::exchange(waiting_, {})) fork(std::move(order));
  return std::nullopt;
}

void ZygoteClient::Impl::fork(ForkOrder order) {
  if (closed_) return order.on_child(StartFailure{"zygote", "the zygote client is shut down", ""});
  if (!current_) {
    waiting_.push_back(std::move(order));
    return start_another();
  }
  const auto zygote = current_;  // a failing fork's callback may replace it
  zygote->fork(std::move(order));
  if (zygote->forks() >= options_.max_forks) start_another();
}

void ZygoteClient::Impl::retire(std::uint64_t generation) {
  if (!current_ || current_->generation() != generation) return;
  repeat(std::exchange(current_, nullptr)->close());
}

// Orders of a zygote that is gone, before any that wait.
void ZygoteClient::Impl::repeat(std::deque<ForkOrder> orders) {
  const auto hopeless = std::stable_partition(
      orders.begin(), orders.end(),
      [](const ForkOrder& order) { return order.attempts < kMaxForkAttempts; });
  std::deque<ForkOrder> failed(std::make_move_iterator(hopeless),
                               std::make_move_iterator(orders.end()));
  orders.erase(hopeless, orders.end());
  if (current_) {
    for (ForkOrder& order : orders) fork(std::move(order));
  } else {
    waiting_.insert(waiting_.begin(), std::make_move_iterator(orders.begin()),
                    std::make_move_iterator(orders.end()));
    start_another();
  }
  for (ForkOrder& order : failed) {
    order.on_child(StartFailure{"fork",
                                "the zygote died or hung each time it was asked for this child",
                                "check the limit of open files, the machine's memory and "
                                "the kernel log"});
  }
}

void ZygoteClient::Impl::start_another() {
  if (closed_ || starting_.valid()) return;
  const auto deliver = [guard = boost::asio::make_work_guard(io_), weak = weak_from_this()] {
    boost::asio::post(guard.get_executor(), [weak] {
      const auto self = weak.lock();
      if (self && self->starting_.valid()) self->on_started(self->starting_.get());
    });
  };
  try {
    starting_ = std::async(std::launch::async, [deliver, options = options_] {
      Start start = start_zygote(options);
      deliver();
      return start;
    });
  } catch (const std::system_error&) {  // no thread
    std::promise<Start> refused;
    starting_ = refused.get_future();
    refused.set_value(thread_failure());
    deliver();
  }
}

void ZygoteClient::Impl::on_started(Start start) {
  if (closed_) return;
  const auto failure = start ? adopt(*std::move(start)) : start.error();
  if (failure) on_start_failed(*failure);
}

void ZygoteClient::Impl::on_start_failed(const StartFailure& failure) {
  if (++start_failures_ < kMaxStartFailures) return start_another();
  // One that has forked as often as it may is not used on because there is no other.
  drain_current();
  fail_waiting(failure);
}

void ZygoteClient::Impl::drain_current() {
  if (!current_) return;
  std::erase_if(draining_, [](const auto& zygote) { return zygote.expired(); });
  draining_.push_back(current_);
  std::exchange(current_, nullptr)->drain();
}

void ZygoteClient::Impl::fail_waiting(const StartFailure& failure) {
  for (ForkOrder& order : std::exchange(waiting_, {})) order.on_child(failure);
}

void ZygoteClient::Impl::shut_down() {
  closed_ = true;
  starting_ = {};  // waits
  drain_current();
  for (const auto& weak : std::exchange(draining_, {})) {
    if (const auto zygote = weak.lock()) {
      for (ForkOrder& order : zygote->close()) waiting_.push_back(std::move(order));
    }
  }
  fail_waiting({"zygote", "the zygote client is shut down", ""});
}

ZygoteClient::ZygoteClient(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

ZygoteClient::~ZygoteClient() { impl_->shut_down(); }

Result<std::unique_ptr<ZygoteClient>, StartFailure> ZygoteClient::start(boost::asio::io_context& io,
                                                                        ZygoteOptions options) {
  Start first = start_zygote(options);
  if (!first) return first.error();
  auto impl = std::make_shared<Impl>(io, std::move(options), first->ready().value());
  if (auto failure = impl->adopt(*std::move(first))) return *std::move(failure);
  return std::unique_ptr<ZygoteClient>(new ZygoteClient(std::move(impl)));
}

const EngineReady& ZygoteClient::engine() const noexcept { return impl_->engine(); }

void ZygoteClient::fork(OnChild on_child, Use use) {
  boost::asio::post(impl_->io(), [impl = impl_, use, on_child = std::move(on_child)]() mutable {
    impl->fork({std::move(on_child), use});
  });
}

void ZygoteClient::retire(std::uint64_t zygote) {
  boost::asio::post(impl_->io(), [impl = impl_, zygote] { impl->retire(zygote); });
}

}  // namespace cordon
