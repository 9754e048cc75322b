// The open loop in a time of the test's own: nothing sleeps, and every figure is exact.
#include "benchmarks/load/open_loop.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

#include "benchmarks/load/closed_loop.h"

using namespace cordon::load;
using namespace std::chrono_literals;

namespace {

// Time passes when somebody waits for it; what is due meanwhile happens in order.
class VirtualTimeline : public Timeline {
 public:
  Nanoseconds now() const override { return now_; }
  void sleep_until(Nanoseconds time) override {
    wait(time, [] { return false; });
  }
  bool wait(Nanoseconds until, const std::function<bool()>& holds) override {
    while (!holds()) {
      const auto next = events_.begin();
      if (next == events_.end() || next->first > until) {
        now_ = std::max(now_, until);
        return holds();
      }
      now_ = std::max(now_, next->first);
      const auto event = std::move(next->second);
      events_.erase(next);
      event();
    }
    return true;
  }
  void changed() override {}

  void at(Nanoseconds time, std::function<void()> event) {
    events_.emplace(time, std::move(event));
  }
  void pass(Nanoseconds time) { now_ += time; }

 private:
  Nanoseconds now_{0};
  std::multimap<Nanoseconds, std::function<void()>> events_;
};

// Serves one call after the other, each in 1 ms, but for one stall.
class StalledService {
 public:
  StalledService(VirtualTimeline& timeline, Nanoseconds stall_from, Nanoseconds stall_to)
      : timeline_(timeline), stall_from_(stall_from), stall_to_(stall_to) {}

  void begin(std::uint64_t, std::function<void(CallEnd)> done) {
    Nanoseconds start = std::max(timeline_.now(), free_at_);
    if (start >= stall_from_ && start < stall_to_) start = stall_to_;
    free_at_ = start + 1ms;
    timeline_.at(free_at_, [this, done] { done({.at = timeline_.now()}); });
  }

 private:
  VirtualTimeline& timeline_;
  Nanoseconds stall_from_, stall_to_;
  Nanoseconds free_at_{0};
};

BeginCall calls_of(StalledService& service) {
  return [&service](std::uint64_t number, std::function<void(CallEnd)> done) {
    service.begin(number, std::move(done));
  };
}

// Ends at once, in a way that may depend on the call's number.
BeginCall at_once(VirtualTimeline& timeline, std::function<CallEnd::How(std::uint64_t)> how) {
  return [&timeline, how = std::move(how)](std::uint64_t number,
                                           const std::function<void(CallEnd)>& done) {
    done({.how = how(number), .at = timeline.now(), .message = "no " + std::to_string(number)});
  };
}

CallEnd::How right(std::uint64_t) { return CallEnd::How::kRight; }

}  // namespace

TEST_CASE("calls begin when they are due, each with its own number") {
  VirtualTimeline timeline;
  std::vector<Nanoseconds> begun;
  std::vector<std::uint64_t> numbers;
  const OpenResult result = run_open_loop(
      {.per_second = 100, .duration = 50ms}, 7, timeline,
      [&](std::uint64_t number, const std::function<void(CallEnd)>& done) {
        begun.push_back(timeline.now());
        numbers.push_back(number);
        timeline.at(timeline.now() + 30ms, [&timeline, done] { done({.at = timeline.now()}); });
      });
  CHECK(begun == std::vector<Nanoseconds>{0ms, 10ms, 20ms, 30ms, 40ms});
  CHECK(numbers == std::vector<std::uint64_t>{7, 8, 9, 10, 11});
  CHECK(result.tally.calls == 5);
  CHECK(result.tally.all().quantile(1) == 30);
  CHECK(result.start_lag_ms.quantile(1) == 0);
  CHECK(result.seconds == Approx(0.07));
  CHECK(result.held + result.unbegun + result.busy + result.wrong == 0);
}

TEST_CASE("no more calls than asked for") {
  VirtualTimeline timeline;
  const OpenResult result = run_open_loop({.per_second = 100, .duration = 1h, .calls = 3}, 0,
                                          timeline, at_once(timeline, right));
  CHECK(result.tally.calls == 3);
  CHECK(result.unbegun == 0);
}

TEST_CASE("a stall is charged to every call that was due in it") {
  VirtualTimeline timeline;
  StalledService service(timeline, 1s, 2s);
  // 100 calls a second for 10 seconds; those due from 1 s to 2 s wait up to a second, and another
  // 11 or so until the queue is gone.
  const OpenResult result =
      run_open_loop({.per_second = 100, .duration = 10s}, 0, timeline, calls_of(service));
  const Histogram latency = result.tally.all();
  REQUIRE(latency.count() == 1000);
  CHECK(latency.quantile(0.5) == Approx(1).epsilon(0.001));
  CHECK(latency.quantile(0.95) >
        400);  // a twentieth of all calls were due in the stall's first half
  CHECK(latency.quantile(0.99) > 800);
  CHECK(latency.quantile(1) == Approx(1001).epsilon(0.001));
}

TEST_CASE("the same stall where callers wait for each other is hidden: why there is an open loop") {
  // One caller's own times, measured from when each call began.
  VirtualTimeline timeline;
  StalledService service(timeline, 1s, 2s);
  Histogram latency;
  while (timeline.now() < 10s) {
    const Nanoseconds began = timeline.now();
    bool over = false;
    service.begin(0, [&](const CallEnd& end) {
      latency.record(std::chrono::duration<double, std::milli>(end.at - began).count());
      over = true;
    });
    timeline.wait(1h, [&] { return over; });
  }
  CHECK(latency.quantile(0.999) == Approx(1).epsilon(0.001));
}

TEST_CASE("calls that are held since too many are in flight are charged for the wait") {
  VirtualTimeline timeline;
  StalledService service(timeline, 100ms, 300ms);
  const OpenResult result = run_open_loop({.per_second = 100, .duration = 1s, .max_in_flight = 1},
                                          0, timeline, calls_of(service));
  CHECK(result.tally.calls == 100);
  CHECK(result.held > 15);
  CHECK(result.unbegun == 0);
  CHECK(result.tally.all().quantile(1) == Approx(201).epsilon(0.001));
  CHECK(result.start_lag_ms.quantile(1) == Approx(191).epsilon(0.001));
}

TEST_CASE("calls that are held until long after the end are given up and counted") {
  VirtualTimeline timeline;
  StalledService service(timeline, 0ms, 10s);
  const OpenResult result = run_open_loop({.per_second = 100, .duration = 1s, .max_in_flight = 4},
                                          0, timeline, calls_of(service));
  CHECK(result.tally.calls == 4);
  CHECK(result.unbegun == 96);
  CHECK(result.tally.all().quantile(1) > 9000);  // of those that began, to their end
}

TEST_CASE("a generator that is late says so, and its lateness counts") {
  VirtualTimeline timeline;
  const OpenResult result =
      run_open_loop({.per_second = 100, .duration = 100ms}, 0, timeline,
                    [&](std::uint64_t, const std::function<void(CallEnd)>& done) {
                      timeline.pass(15ms);  // to begin a call takes longer than calls are apart
                      done({.at = timeline.now()});
                    });
  CHECK(result.tally.calls == 10);
  CHECK(result.start_lag_ms.quantile(1) == 45);
  CHECK(result.tally.all().quantile(1) == 60);
}

TEST_CASE("refused and wrong calls are counted apart, and are no samples") {
  VirtualTimeline timeline;
  const auto how = [](std::uint64_t number) {
    return number % 4 == 1   ? CallEnd::How::kBusy
           : number % 4 == 3 ? CallEnd::How::kWrong
                             : CallEnd::How::kRight;
  };
  const OpenResult result = run_open_loop({.per_second = 100, .duration = 1h, .calls = 12}, 0,
                                          timeline, at_once(timeline, how));
  CHECK(result.tally.calls == 6);
  CHECK(result.tally.all().count() == 6);
  CHECK(result.busy == 3);
  CHECK(result.wrong == 3);
  CHECK(result.first_wrong == "no 3");
}

TEST_CASE("what beginning a call throws is thrown on once the others have ended") {
  VirtualTimeline timeline;
  int ended = 0;
  const auto begin = [&](std::uint64_t number, const std::function<void(CallEnd)>& done) {
    if (number == 2) throw std::runtime_error("cannot begin");
    timeline.at(timeline.now() + 1h, [&, done] {
      ++ended;
      done({.at = timeline.now()});
    });
  };
  CHECK_THROWS_WITH(run_open_loop({.per_second = 10, .duration = 1s}, 0, timeline, begin),
                    "cannot begin");
  CHECK(ended == 2);
}

TEST_CASE("the steady clock's loop counts calls that end on other threads") {
  SteadyTimeline timeline;
  std::vector<std::jthread> threads;
  const OpenResult result = run_open_loop(
      {.per_second = 2000, .duration = 100ms, .max_in_flight = 3}, 0, timeline,
      [&](std::uint64_t, std::function<void(CallEnd)> done) {
        threads.emplace_back([&timeline, done = std::move(done)] { done({.at = timeline.now()}); });
      });
  CHECK(result.tally.calls + result.unbegun == 200);
  CHECK(result.tally.all().count() == result.tally.calls);
  CHECK(result.start_lag_ms.count() == result.tally.calls);
}
