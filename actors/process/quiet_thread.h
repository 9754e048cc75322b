#pragma once
// Cordon's own threads: named, and without signals, which belong to the program that embeds us.

#include <pthread.h>

#include <csignal>
#include <thread>
#include <utility>

namespace cordon {

// `name`: at most 15 characters.
template <class Body>
std::thread start_quiet_thread(const char* name, Body body) {
  return std::thread([name, body = std::move(body)]() mutable {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    pthread_setname_np(pthread_self(), name);
    body();
  });
}

}  // namespace cordon
