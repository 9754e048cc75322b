#pragma once
// Cordon's own threads: named, and without signals, which belong to the program that embeds us.
// What a write would be told by a signal (SIGPIPE, SIGXFSZ) it is then told by an error.

#include <pthread.h>

#include <csignal>
#include <thread>
#include <utility>

namespace cordon {

// All of them, for the calling thread and those that it starts.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

// `name`: at most 15 characters.
template <class Body>
std::thread start_quiet_thread(const char* name, Body body) {
  const SignalsBlocked quiet;
  return std::thread([name, body = std::move(body)]() mutable {
    pthread_setname_np(pthread_self(), name);
    body();
  });
}

}  // namespace cordon
