#include "actors/process/io_thread.h"

#include <chrono>

#include "actors/process/quiet_thread.h"

namespace cordon {
namespace {

// About what it takes to wake a sleeping CPU, twice.
constexpr std::chrono::microseconds kLookFor{60};

}  // namespace

IoThread::IoThread()
    : context_(1),
      work_(boost::asio::make_work_guard(context_)),
      expectation_(boost::asio::use_service<Expectation>(context_)) {
  thread_ = start_quiet_thread("cordon-io", [this] { run(); });
}

IoThread::~IoThread() { stop(); }

void IoThread::stop() {
  if (!thread_.joinable()) return;
  context_.stop();
  thread_.join();
}

void IoThread::run() {
  while (context_.run_one() > 0) {
    while (context_.poll() > 0) continue;
    if (expectation_.take() && looks_.is_due()) looks_.looked(look());
  }
}

// Whether there was something. Without giving the CPU away: who yields may wait for milliseconds
// until others have had their turns, where who sleeps is woken at once.
bool IoThread::look() {
  const auto end = std::chrono::steady_clock::now() + kLookFor;
  while (std::chrono::steady_clock::now() < end) {
    if (context_.poll() > 0) return true;
    if (context_.stopped()) return false;
  }
  return false;
}

}  // namespace cordon
