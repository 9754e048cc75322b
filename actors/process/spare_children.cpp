#include "actors/process/spare_children.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <deque>
#include <utility>

#include "actors/process/pidfd.h"

namespace cordon {

class SpareChildren::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& io, ZygoteClient& zygote, std::size_t spares)
      : io_(io), zygote_(zygote), target_(spares) {}

  void refill() {
    while (spares_.size() + ordered_ < target_) {
      ++ordered_;
      zygote_.fork([self = shared_from_this()](auto result) {
        --self->ordered_;
        // A host that cannot fork now says so to the next call, not to nobody.
        if (result) self->spares_.push_back(std::move(*result));
      });
    }
  }

  void acquire(OnChild on_child) {
    drop_dead();
    if (!spares_.empty()) {
      ChildProcess process = std::move(spares_.front());
      spares_.pop_front();
      on_child(adopt(std::move(process)));
    } else {
      zygote_.fork([self = shared_from_this(), on_child = std::move(on_child)](auto result) {
        if (result) {
          on_child(self->adopt(std::move(*result)));
        } else {
          on_child(result.error());
        }
      });
    }
    refill();
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
      if (spare.zygote == generation) adopt(std::move(spare))->kill(KillReason::kAbandoned);
    }
    std::erase_if(spares_, [](const ChildProcess& each) { return !each.pidfd; });
    refill();
  }

  void discard_all() {
    for (auto& spare : std::exchange(spares_, {})) adopt(std::move(spare));
  }

  boost::asio::io_context& io() { return io_; }

 private:
  std::shared_ptr<Child> adopt(ChildProcess process) {
    return make_child(std::make_shared<ChildLink>(
        io_, std::move(process), [weak = weak_from_this()](std::uint64_t generation) {
          const auto self = weak.lock();
          if (!self) return;
          boost::asio::post(self->io_, [self, generation] { self->retire(generation); });
        }));
  }

  boost::asio::io_context& io_;
  ZygoteClient& zygote_;
  std::size_t target_;
  std::size_t ordered_ = 0;
  std::deque<ChildProcess> spares_;
};

SpareChildren::SpareChildren(boost::asio::io_context& io, ZygoteClient& zygote, std::size_t spares)
    : impl_(std::make_shared<Impl>(io, zygote, spares)) {
  boost::asio::post(io, [impl = impl_] { impl->refill(); });
}

SpareChildren::~SpareChildren() { impl_->discard_all(); }

void SpareChildren::acquire(OnChild on_child) {
  boost::asio::post(impl_->io(), [impl = impl_, on_child = std::move(on_child)]() mutable {
    impl->acquire(std::move(on_child));
  });
}

}  // namespace cordon
