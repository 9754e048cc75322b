#include "cli/batch/reading_thread.h"

#include <fcntl.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <utility>

namespace cordon::batch {

ReadingThread::ReadingThread(UniqueFd input, JobFeed& feed, std::shared_ptr<Mailbox> mailbox,
                             LeftOut left_out)
    : feed_(feed),
      mailbox_(std::move(mailbox)),
      left_out_(std::move(left_out)),
      stop_(::eventfd(0, EFD_CLOEXEC)),
      reader_(std::move(input), UniqueFd(::fcntl(stop_.get(), F_DUPFD_CLOEXEC, 0))),
      thread_([this] { run(); }) {}

ReadingThread::~ReadingThread() {
  stop();
  thread_.join();
}

void ReadingThread::stop() {
  mailbox_->drain();
  ::eventfd_write(stop_.get(), 1);
}

void ReadingThread::run() {
  bool wanted = true;
  while (wanted) {
    const auto line = reader_.next();
    if (!line) break;
    JobFeed::Work work = feed_.take(*line);
    const auto now = std::chrono::steady_clock::now();
    if (auto* job = std::get_if<Job>(&work)) {
      wanted = mailbox_->deliver(Arrival{std::move(*job), now});
    } else if (auto* invalid = std::get_if<InvalidJob>(&work)) {
      wanted = mailbox_->deliver(Arrival{std::move(*invalid), now});
    } else {
      left_out_(line->bytes);
    }
  }
  if (reader_.error() != ECANCELED) error_ = reader_.error();
  mailbox_->end_of_input();
}

}  // namespace cordon::batch
