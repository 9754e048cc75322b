#include "benchmarks/load/closed_loop.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cordon::load {
namespace {

using Clock = std::chrono::steady_clock;

class Loop {
 public:
  Loop(const LoopPlan& plan, std::uint64_t first, const MakeCall& make_call)
      : plan_(plan), first_(first), make_call_(make_call) {}

  LoopResult run() {
    {
      std::vector<std::jthread> callers;
      for (std::size_t i = 0; i < plan_.callers; ++i)
        callers.emplace_back([this] { keep_calling(); });
    }
    if (failure_) std::rethrow_exception(failure_);
    total_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    return std::move(total_);
  }

 private:
  void keep_calling() try {
    while (const auto number = admit()) {
      if (plan_.pause.count() > 0) std::this_thread::sleep_for(plan_.pause);
      const CallResult result = make_call_(*number);
      const std::lock_guard lock(mutex_);
      total_.tally.add(result);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    if (!failure_) failure_ = std::current_exception();
  }

  std::optional<std::uint64_t> admit() {
    const std::uint64_t admitted = admitted_.fetch_add(1);
    if (failed_ || (plan_.calls && admitted >= *plan_.calls)) return std::nullopt;
    if (admitted > 0 && Clock::now() - started_ >= plan_.duration) return std::nullopt;
    return first_ + admitted;
  }

  const LoopPlan& plan_;
  const std::uint64_t first_;
  const MakeCall& make_call_;
  const Clock::time_point started_ = Clock::now();
  std::atomic<std::uint64_t> admitted_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // of what follows
  LoopResult total_;
  std::exception_ptr failure_;
};

}  // namespace

LoopResult run_closed_loop(const LoopPlan& plan, std::uint64_t first, const MakeCall& make_call) {
  return Loop(plan, first, make_call).run();
}

}  // namespace cordon::load
