#include "actors/auditor_thread.h"

#include <algorithm>
#include <utility>

namespace cordon {

namespace {

// The first `count` elements of `all`, which keeps the rest.
template <class T>
std::vector<T> take_front(std::vector<T>& all, std::size_t count) {
  std::vector<T> front = std::move(all);
  const auto rest = front.begin() + static_cast<std::ptrdiff_t>(count);
  all.assign(std::make_move_iterator(rest), std::make_move_iterator(front.end()));
  front.resize(count);
  return front;
}

}  // namespace

AuditorThread::AuditorThread(AuditLog log, std::size_t group_limit, OnWritten on_written,
                             std::shared_ptr<BlockingThreads> thread)
    : log_(std::move(log)),
      group_limit_(group_limit),
      on_written_(std::move(on_written)),
      thread_(std::move(thread)) {
  thread_->run([this] { run(); });
}

AuditorThread::~AuditorThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_->finish();
}

void AuditorThread::write(std::uint64_t key, AuditRecordMessage record) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.keys.push_back(key);
    waiting_.records.push_back(std::move(record));
  }
  wake_.notify_one();
}

AuditorThread::Waiting AuditorThread::take() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return ending_ || !waiting_.keys.empty(); });
  const std::size_t count = std::min(waiting_.keys.size(), group_limit_);
  Waiting group;
  group.keys = take_front(waiting_.keys, count);
  group.records = take_front(waiting_.records, count);
  return group;
}

AuditorThread::Group AuditorThread::write(const Waiting& waiting) {
  Group group;
  auto events = log_.write(waiting.records);
  for (std::size_t i = 0; i < waiting.keys.size(); ++i) {
    group.written.push_back({waiting.keys[i], {}});
    if (events) group.written.back().event = std::move((*events)[i]);
  }
  group.head = log_.head().hash;
  return group;
}

void AuditorThread::run() {
  for (Waiting group = take(); !group.keys.empty(); group = take()) on_written_(write(group));
  log_.close();
}

}  // namespace cordon
