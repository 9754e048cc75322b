#include "actors/process/io_thread.h"

#include "actors/process/quiet_thread.h"

namespace cordon {

IoThread::IoThread() : context_(1), work_(boost::asio::make_work_guard(context_)) {
  thread_ = start_quiet_thread("cordon-io", [this] { context_.run(); });
}

IoThread::~IoThread() { stop(); }

void IoThread::stop() {
  if (!thread_.joinable()) return;
  context_.stop();
  thread_.join();
}

}  // namespace cordon
