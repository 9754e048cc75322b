#include "actors/process/spare_children.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <utility>

#include "actors/process/pidfd.h"

namespace cordon {

namespace {

// A call that has taken a spare is disturbed by the fork of the next one. Most are over by then.
constexpr std::chrono::milliseconds kBeforeRefill{10};

}  // namespace

class SpareChildren::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& io, ZygoteClient& zygote, std::size_t spares)
      : io_(io), refill_timer_(io), zygote_(zygote), target_(spares) {}

  void refill() {
    while (!stopped_ && spares_.size() + ordered_ < target_) {
      ++ordered_;
      zygote_.fork(
          [self = shared_from_this()](auto result) {
            --self->ordered_;
            // A host that cannot fork now says so to the next call, not to nobody.
            if (result) self->spares_.push_back(std::move(*result));
          },
          ZygoteClient::Use::kLater);
    }
  }

  void acquire(OnChild on_child) {
    drop_dead();
    if (!spares_.empty()) {
      ChildProcess process = std::move(spares_.front());
      spares_.pop_front();
      on_child(adopt(std::move(process)));
      refill_later();
      return;
    }
    zygote_.fork([self = shared_from_this(), on_child = std::move(on_child)](auto result) {
      if (result) {
        on_child(self->adopt(std::move(*result)));
      } else {
        on_child(result.error());
      }
    });
  }

  // One that was killed while it waited would cost the next call its outcome.
  void drop_dead() {
    while (!spares_.empty() && has_ended(spares_.front().pidfd.get())) {
      ChildProcess dead = std::move(spares_.front());
      spares_.pop_front();
      adopt(std::move(dead));  // reaps it
    }
  }

  void retire(std::uint64_t generation) {
    zygote_.retire(generation);
    for (auto& spare : spares_) {
      if (spare.zygote == generation) adopt(std::move(spare));  // and drops it
    }
    std::erase_if(spares_, [](const ChildProcess& each) { return !each.pidfd; });
    refill();
  }

  // Nothing is forked any more.
  void stop() {
    stopped_ = true;
    for (auto& spare : std::exchange(spares_, {})) adopt(std::move(spare));
  }

  boost::asio::io_context& io() { return io_; }

 private:
  // At the latest; at once when a call is over.
  void refill_later() {
    if (std::exchange(refill_is_due_, true)) return;
    refill_timer_.expires_after(kBeforeRefill);
    refill_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (!self || error) return;
      self->refill_is_due_ = false;
      self->refill();
    });
  }

  Result<std::shared_ptr<Child>, StartFailure> adopt(ChildProcess process) {
    auto link = ChildLink::adopt(
        io_, std::move(process), [weak = weak_from_this()](const ChildLink::End& end) {
          const auto self = weak.lock();
          if (!self || self->stopped_ || (!end.layout_known && self->target_ == 0)) return;
          boost::asio::post(self->io_, [self, end] {
            if (end.layout_known) self->retire(end.zygote);
            self->refill();
          });
        });
    if (!link) return link.error();
    return make_child(*std::move(link));
  }

  boost::asio::io_context& io_;
  boost::asio::steady_timer refill_timer_;
  ZygoteClient& zygote_;
  const std::size_t target_;
  std::size_t ordered_ = 0;
  std::deque<ChildProcess> spares_;
  bool refill_is_due_ = false;
  std::atomic<bool> stopped_ = false;
};

SpareChildren::SpareChildren(boost::asio::io_context& io, ZygoteClient& zygote, std::size_t spares)
    : impl_(std::make_shared<Impl>(io, zygote, spares)) {
  boost::asio::post(io, [impl = impl_] { impl->refill(); });
}

SpareChildren::~SpareChildren() { impl_->stop(); }

void SpareChildren::acquire(OnChild on_child) {
  boost::asio::post(impl_->io(), [impl = impl_, on_child = std::move(on_child)]() mutable {
    impl->acquire(std::move(on_child));
  });
}

}  // namespace cordon
