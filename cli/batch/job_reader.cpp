#include "cli/batch/job_reader.h"

#include <utility>

namespace cordon::batch {

std::optional<Arrival> JobReader::next() {
  prepare_next();
  return std::exchange(next_, std::nullopt);
}

void JobReader::prepare_next() {
  while (!next_ && !stopped_) {
    const auto line = reader_.take();
    if (!line) return;
    JobFeed::Work work = feed_.take(*line);
    const auto now = std::chrono::steady_clock::now();
    if (auto* job = std::get_if<Job>(&work)) {
      next_.emplace(std::move(*job), now);
    } else if (auto* invalid = std::get_if<InvalidJob>(&work)) {
      next_.emplace(std::move(*invalid), now);
    } else {
      left_out_(line->bytes);
    }
  }
}

int JobReader::descriptor() const {
  return next_ || stopped_ || reader_.ended() ? -1 : reader_.descriptor();
}

void JobReader::fill() { reader_.fill(); }

void JobReader::stop() {
  stopped_ = true;
  next_.reset();
}

}  // namespace cordon::batch
