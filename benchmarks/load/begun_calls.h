#pragma once
// Calls that are begun and not waited for. When one has ended is noted at once, on the thread that
// says so; its result is checked on a thread of this object's, so that no other is held up.

#include <cordon/program.h>
#include <cordon/runtime.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "benchmarks/load/open_loop.h"
#include "benchmarks/load/workload.h"

namespace cordon::load {

class BegunCalls {
 public:
  using Done = std::function<void(CallEnd)>;

  // All three must outlive this object.
  BegunCalls(Runtime& runtime, const Workload& workload, const Timeline& timeline);
  // No call may be under way.
  ~BegunCalls() = default;
  BegunCalls(const BegunCalls&) = delete;
  BegunCalls& operator=(const BegunCalls&) = delete;

  // Begins the call with that number, which no other one that is under way has. Of one thread.
  void begin(std::uint64_t number, Done done);

 private:
  struct Call {
    AISandbox sandbox;
    Done done;
  };
  struct Ended {
    std::uint64_t number;
    Nanoseconds at;
    CallAnswer answer;
  };

  void ended(Ended call);
  void check_all(const std::stop_token& stop);
  CallEnd check(const Ended& call) const;

  Runtime& runtime_;
  const Workload& workload_;
  const Timeline& timeline_;
  std::mutex beginning_;  // held while a call is begun: its sandbox is in use until then
  std::mutex mutex_;      // of what follows
  std::unordered_map<std::uint64_t, Call> calls_;
  std::deque<Ended> ended_;
  std::condition_variable_any change_;
  std::jthread checker_;
};

}  // namespace cordon::load
