#include "cli/interrupts.h"

#include <csignal>
#include <cstdlib>
#include <utility>

#include "actors/or_unavailable.h"
#include "cli/exit_codes.h"

namespace cordon {

Interrupts::Interrupts(std::function<void()> on_interrupt)
    : on_interrupt_(std::move(on_interrupt)), signals_(io_, SIGINT, SIGTERM) {
  struct sigaction hang_up {};  // ignored under nohup
  ::sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) signals_.add(SIGHUP);
  wait();
  thread_ = or_unavailable([this] { return std::thread([this] { io_.run(); }); });
}

Interrupts::~Interrupts() {
  io_.stop();
  thread_.join();
}

void Interrupts::wait() {
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    if (std::exchange(seen_, true)) std::_Exit(kExitTerminated);
    on_interrupt_();
    wait();
  });
}

}  // namespace cordon
