#pragma once
// A closed loop: each caller makes its next call when its last one has ended, so that the load is
// as high as the system allows and never higher.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "benchmarks/load/tally.h"

namespace cordon::load {

struct LoopPlan {
  std::size_t callers = 1;
  std::chrono::milliseconds duration{3000};  // no call begins later
  std::optional<std::uint64_t> calls = {};   // nor more than these
  std::chrono::milliseconds pause{0};        // before each call, in none of its times
};

struct LoopResult {
  Tally tally;
  double seconds = 0;  // from the first call's start to the last one's end
};

// Makes the call with that number and checks what comes of it. Called on several threads at once.
using MakeCall = std::function<CallResult(std::uint64_t number)>;

// Numbers the calls from `first`. At least one is made. What a call throws ends the loop and is
// thrown on.
LoopResult run_closed_loop(const LoopPlan& plan, std::uint64_t first, const MakeCall& make_call);

}  // namespace cordon::load
