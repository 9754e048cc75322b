#pragma once
// Reads lines on a thread of its own and hands their jobs to the mailbox, until the input ends or
// the batch does.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "cli/batch/job_feed.h"
#include "cli/batch/line_reader.h"
#include "cli/batch/mailbox.h"
#include "messages/unique_fd.h"

namespace cordon::batch {

class ReadingThread {
 public:
  // `left_out` is told, on the thread, of the bytes of lines that make no work.
  using LeftOut = std::function<void(std::uint64_t bytes)>;
  ReadingThread(UniqueFd input, JobFeed& feed, std::shared_ptr<Mailbox> mailbox, LeftOut left_out);
  ~ReadingThread();  // stops
  ReadingThread(const ReadingThread&) = delete;
  ReadingThread& operator=(const ReadingThread&) = delete;

  // No more input is wanted. From any thread.
  void stop();
  // Why reading failed, once the mailbox has told of the end; 0 when it did not.
  int error() const noexcept { return error_; }

 private:
  void run();

  JobFeed& feed_;
  const std::shared_ptr<Mailbox> mailbox_;
  const LeftOut left_out_;
  const UniqueFd stop_;
  LineReader reader_;
  std::atomic<int> error_ = 0;
  std::thread thread_;
};

}  // namespace cordon::batch
