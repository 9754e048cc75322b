#include "actors/process/io_thread.h"

#include <pthread.h>

#include <csignal>

namespace cordon {

namespace {

// Signals belong to the program that embeds us.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

IoThread::IoThread() : context_(1), work_(boost::asio::make_work_guard(context_)) {
  thread_ = std::thread([this] {
    block_signals();
    pthread_setname_np(pthread_self(), "cordon-io");
    context_.run();
  });
}

IoThread::~IoThread() { stop(); }

void IoThread::stop() {
  if (!thread_.joinable()) return;
  context_.stop();
  thread_.join();
}

}  // namespace cordon
