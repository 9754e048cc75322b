#pragma once
// An open loop: calls begin when they are due, whether or not earlier ones have ended, as those of
// independent users do. A call's time runs from when it was due. So a system that stalls is charged
// for every call that should have begun meanwhile ("coordinated omission" would leave those out),
// and a generator that is late makes figures worse, never better.

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "benchmarks/load/arrivals.h"
#include "benchmarks/load/tally.h"
#include "benchmarks/load/timeline.h"

namespace cordon::load {

struct OpenPlan {
  double per_second = 1;
  ArrivalKind arrivals = ArrivalKind::kConstant;
  std::uint64_t seed = 0;
  std::chrono::milliseconds duration{3000};  // no call is due later
  std::optional<std::uint64_t> calls = {};   // nor more than these
  std::size_t max_in_flight = 2048;          // a call that is due meanwhile waits, and that counts
};

// How one call ended.
struct CallEnd {
  enum class How : std::uint8_t {
    kRight,
    kBusy,   // refused before it began, since the queue was full
    kWrong,  // not what it must come to
  };
  How how = How::kRight;
  CallResult result = {};    // its samples are not looked at
  Nanoseconds at{0};         // on the loop's timeline
  std::string message = {};  // of kWrong
};

// Begins the call with that number and returns. `done` is to be called once, on any thread.
using BeginCall = std::function<void(std::uint64_t number, std::function<void(CallEnd)> done)>;

struct OpenResult {
  Tally tally;  // of calls that ended right: milliseconds since each was due
  std::uint64_t busy = 0;
  std::uint64_t wrong = 0;
  std::string first_wrong;    // message of one of them
  std::uint64_t held = 0;     // had to wait since too many were in flight
  std::uint64_t unbegun = 0;  // were due and never began, since they were held until after the end
  Histogram start_lag_ms;     // of each that began: how long after it was due
  double seconds = 0;         // until the last call's end
};

// Numbers the calls from `first`. Calls that are still held a second after the end are given up;
// those that have begun are waited for. What `begin` throws is thrown on once all have ended.
// `timeline` must outlive the threads on which `done` is called.
OpenResult run_open_loop(const OpenPlan& plan, std::uint64_t first, Timeline& timeline,
                         const BeginCall& begin);

}  // namespace cordon::load
