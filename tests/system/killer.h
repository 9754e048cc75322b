#pragma once
// Kills a random process of the runtime under test now and then: guests' children, the zygote, the
// compiler, the inits of their namespaces, and the sandboxes of commands.

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace cordon::test {

class Killer {
 public:
  // At most one every `pause`, and at most one for each two calls of which done() was told: on a
  // busy machine nothing would ever get done otherwise.
  Killer(std::chrono::milliseconds pause, std::uint32_t seed);
  ~Killer() { stop(); }
  Killer(const Killer&) = delete;
  Killer& operator=(const Killer&) = delete;

  void done() { ++calls_; }
  // What was killed is dead when it returns. Idempotent.
  void stop();

  int children_killed() const { return children_; }  // a call's, or a spare
  int zygotes_killed() const { return zygotes_; }
  int compilers_killed() const { return compilers_; }
  int inits_killed() const { return inits_; }
  int commands_killed() const { return commands_; }  // bubblewrap, or what it has started

 private:
  void run(std::chrono::milliseconds pause, std::uint32_t seed);

  std::atomic<int> calls_ = 0;
  std::atomic<int> children_ = 0;
  std::atomic<int> zygotes_ = 0;
  std::atomic<int> compilers_ = 0;
  std::atomic<int> inits_ = 0;
  std::atomic<int> commands_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

// The zygote of this process's runtime: the oldest engine. -1: there is none.
pid_t zygote();

// Kills the runtime's compilers. False: there were none.
bool kill_compilers();

// Kills the runtime's spare children once there are `count` and no call runs; they are dead when it
// returns. False: there never were as many.
bool kill_spares(std::size_t count);

}  // namespace cordon::test
