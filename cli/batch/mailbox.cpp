#include "cli/batch/mailbox.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace cordon::batch {

Mailbox::Mailbox() : bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!bell_) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void Mailbox::deliver(Ending ending) {
  {
    const std::lock_guard lock(mutex_);
    news_.endings.push_back(std::move(ending));
  }
  ring();
}

void Mailbox::drain() {
  {
    const std::lock_guard lock(mutex_);
    news_.draining = true;
  }
  ring();
}

void Mailbox::ring() { ::eventfd_write(bell_.get(), 1); }

Mailbox::News Mailbox::take() {
  eventfd_t rung = 0;
  ::eventfd_read(bell_.get(), &rung);
  const std::lock_guard lock(mutex_);
  return {.endings = std::exchange(news_.endings, {}), .draining = news_.draining};
}

}  // namespace cordon::batch
