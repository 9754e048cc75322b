#include "engine/script/event_loop.h"

#include <js/Exception.h>
#include <js/Promise.h>

#include <algorithm>
#include <chrono>

#include "engine/script/spidermonkey.h"

namespace cordon::engine {

namespace {

bool settled(JS::HandleObject promise) {
  return JS::GetPromiseState(promise) != JS::PromiseState::Pending;
}

}  // namespace

EventLoop::End EventLoop::run_until_settled(JS::HandleObject promise) {
  for (;;) {
    if (sources_.memory.exceeded()) return End::kStopped;
    if (const auto end = run_microtasks(promise)) return *end;
    if (settled(promise)) return End::kSettled;
    if (const auto end = run_task()) return *end;
  }
}

EventLoop::End EventLoop::run_until_idle(std::uint32_t last_timer) {
  JS::RootedObject none(cx_);
  for (;;) {
    if (sources_.memory.exceeded()) return End::kStopped;
    if (const auto end = run_microtasks(none)) return *end;
    if (sources_.calls.idle() && !sources_.timers.any_timeout_after(last_timer))
      return End::kSettled;
    if (const auto end = run_task()) return *end;
  }
}

std::optional<EventLoop::End> EventLoop::run_microtasks(JS::HandleObject promise) {
  while (!sources_.jobs.empty()) {
    if (background_ == Background::kIgnored && settled(promise)) return End::kSettled;
    if (!sources_.jobs.run_one()) {
      if (const auto end = after_throw()) return end;
    }
    if (sources_.memory.exceeded()) return End::kStopped;
  }
  sm::clear_kept_objects(cx_);
  if (background_ == Background::kIgnored) return std::nullopt;
  JS::RootedObject rejected(cx_, sources_.rejections.first());
  // The promise that is waited for is its waiter's business.
  if (!rejected || rejected == promise) return std::nullopt;
  uncaught_ = JS::GetPromiseResult(rejected);
  return End::kThrew;
}

std::optional<EventLoop::End> EventLoop::run_task() {
  Timers& timers = sources_.timers;
  if (!channel_is_next_ && timer_is_due()) {
    channel_is_next_ = true;
    return timers.run_one() ? std::nullopt : after_throw();
  }
  channel_is_next_ = false;
  const auto due = timers.next_due();
  if (!due) {
    const bool stuck = background_ == Background::kCounts && sources_.calls.idle();
    return stuck ? End::kStuck : take_reply();
  }
  const auto left = std::max(*due - Timers::Clock::now(), Timers::Clock::duration::zero());
  return sources_.channel.wait(left) ? take_reply() : std::nullopt;
}

std::optional<EventLoop::End> EventLoop::take_reply() {
  const Payload frame = sources_.channel.read();
  if (frame.empty()) return End::kChannelClosed;
  const auto view = Message<wire::HostFrame>(frame).read();
  if (!view->isReply() || sources_.calls.settle(view->getReply())) return std::nullopt;
  // Nobody is there to catch it: only memory can be short here.
  JS_ClearPendingException(cx_);
  return End::kStopped;
}

std::optional<EventLoop::End> EventLoop::after_throw() {
  JS::RootedValue thrown(cx_);
  if (!JS_IsExceptionPending(cx_) || !JS_GetPendingException(cx_, &thrown)) return End::kStopped;
  JS_ClearPendingException(cx_);
  if (background_ == Background::kIgnored) return std::nullopt;
  uncaught_ = thrown;
  return End::kThrew;
}

bool EventLoop::timer_is_due() const {
  const auto due = sources_.timers.next_due();
  return due && *due <= Timers::Clock::now();
}

}  // namespace cordon::engine
