#include "benchmarks/load/open_loop.h"

#include <algorithm>
#include <utility>

namespace cordon::load {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kGrace = 1s;
constexpr Nanoseconds kForEver = 24h * 365;

double to_ms(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

class Loop {
 public:
  Loop(const OpenPlan& plan, Timeline& timeline, const BeginCall& begin)
      : plan_(plan), timeline_(timeline), begin_(begin) {}

  OpenResult run(std::uint64_t first) {
    Arrivals arrivals(plan_.per_second, plan_.arrivals, plan_.seed);
    const Nanoseconds start = timeline_.now();
    try {
      begin_all(arrivals, first, start);
    } catch (...) {
      wait_for_all();
      throw;
    }
    wait_for_all();
    result_.seconds = to_ms(timeline_.now() - start) / 1000;
    return std::move(result_);
  }

 private:
  void begin_all(Arrivals& arrivals, std::uint64_t first, Nanoseconds start) {
    bool given_up = false;
    for (std::uint64_t i = 0; !plan_.calls || i < *plan_.calls; ++i) {
      const Nanoseconds due = arrivals.next();
      if (due >= plan_.duration) return;
      if (given_up) {
        ++result_.unbegun;
        continue;
      }
      timeline_.sleep_until(start + due);
      given_up = !wait_for_place(start + plan_.duration + kGrace);
      if (given_up) {
        ++result_.unbegun;
      } else {
        begin(first + i, start + due);
      }
    }
  }

  // False when there is none until then.
  bool wait_for_place(Nanoseconds until) {
    const auto free = [this] { return in_flight_ < plan_.max_in_flight; };
    if (free()) return true;
    ++result_.held;
    return timeline_.wait(until, free);
  }

  void wait_for_all() {
    timeline_.wait(timeline_.now() + kForEver, [this] { return in_flight_ == 0; });
  }

  void begin(std::uint64_t number, Nanoseconds due) {
    result_.start_lag_ms.record(to_ms(std::max(timeline_.now() - due, Nanoseconds(0))));
    ++in_flight_;
    try {
      begin_(number, [this, due](CallEnd end) { ended(std::move(end), due); });
    } catch (...) {
      --in_flight_;  // it will not end, since it has not begun
      throw;
    }
  }

  void ended(CallEnd end, Nanoseconds due) {
    {
      const std::lock_guard lock(mutex_);
      count(std::move(end), due);
    }
    // The last one to end may find that the loop has seen it, and is gone.
    Timeline& timeline = timeline_;
    --in_flight_;
    timeline.changed();
  }

  void count(CallEnd end, Nanoseconds due) {
    switch (end.how) {
      case CallEnd::How::kRight:
        end.result.samples = {to_ms(end.at - due)};
        result_.tally.add(end.result);
        return;
      case CallEnd::How::kBusy:
        ++result_.busy;
        return;
      case CallEnd::How::kWrong:
        if (result_.wrong++ == 0) result_.first_wrong = std::move(end.message);
        return;
    }
  }

  const OpenPlan& plan_;
  Timeline& timeline_;
  const BeginCall& begin_;
  std::atomic<std::size_t> in_flight_ = 0;
  std::mutex mutex_;  // of the tally, busy and wrong; the rest belongs to the thread that begins
  OpenResult result_;
};

}  // namespace

OpenResult run_open_loop(const OpenPlan& plan, std::uint64_t first, Timeline& timeline,
                         const BeginCall& begin) {
  return Loop(plan, timeline, begin).run(first);
}

}  // namespace cordon::load
