#include "cli/batch/mailbox.h"

#include <utility>

namespace cordon::batch {
namespace {

std::uint64_t bytes_of(const Arrival& arrival) {
  return std::visit([](const auto& what) { return what.identity.bytes; }, arrival.what);
}

}  // namespace

bool Mailbox::deliver(Arrival arrival) {
  std::unique_lock lock(mutex_);
  space_.wait(lock, [this] {
    return draining_ || (arrivals_.size() < kMaxArrivals && arrival_bytes_ < kMaxArrivalBytes);
  });
  if (draining_) return false;
  arrival_bytes_ += bytes_of(arrival);
  arrivals_.push_back(std::move(arrival));
  news_.notify_one();
  return true;
}

void Mailbox::end_of_input() {
  const std::lock_guard lock(mutex_);
  input_ended_ = true;
  news_.notify_one();
}

void Mailbox::deliver(Ending ending) {
  const std::lock_guard lock(mutex_);
  endings_.push_back(std::move(ending));
  news_.notify_one();
}

void Mailbox::drain() {
  const std::lock_guard lock(mutex_);
  draining_ = true;
  arrivals_.clear();
  news_.notify_one();
  space_.notify_all();
}

Mailbox::News Mailbox::wait(std::size_t room, std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  const auto no_more = [this] { return draining_ || (input_ended_ && arrivals_.empty()); };
  news_.wait_until(lock, deadline, [&] {
    return !endings_.empty() || (room > 0 && !arrivals_.empty()) || (no_more() && !told_);
  });
  News news;
  news.endings = std::exchange(endings_, {});
  while (room > 0 && !arrivals_.empty()) {
    arrival_bytes_ -= bytes_of(arrivals_.front());
    news.arrivals.push_back(std::move(arrivals_.front()));
    arrivals_.pop_front();
    --room;
  }
  news.draining = draining_;
  news.input_ended = no_more();
  told_ = news.input_ended;
  if (!news.arrivals.empty()) space_.notify_one();
  return news;
}

}  // namespace cordon::batch
