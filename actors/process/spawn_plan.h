#pragma once
// What a new process of ours does to itself before it executes: which descriptors it has, and that
// the host's signals and terminal are none of its business.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>

#include <utility>
#include <vector>

#include "messages/unique_fd.h"

namespace cordon {

// Made and destroyed by the C library. Descriptors that nothing is said about are inherited unless
// close_from() says otherwise.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~SpawnPlan() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // `source` is first copied out of the way of all targets. False: see errno.
  bool pass(int source, int target, int beyond_targets) {
    UniqueFd copy(::fcntl(source, F_DUPFD_CLOEXEC, beyond_targets));
    if (!copy) return false;
    ::posix_spawn_file_actions_adddup2(&actions_, copy.get(), target);
    copies_.push_back(std::move(copy));
    return true;
  }
  void pass_nothing(int target) {
    ::posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_RDWR, 0);
  }
  void close_from(int first) { ::posix_spawn_file_actions_addclosefrom_np(&actions_, first); }

  // The host may block or ignore signals, and may be killed by those of its terminal.
  void detach_signals() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  }

  // 0 or an errno.
  int spawn(pid_t* pid, const char* path, char* const* arguments, char* const* environment) const {
    return ::posix_spawn(pid, path, &actions_, &attributes_, arguments, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<UniqueFd> copies_;
};

}  // namespace cordon
