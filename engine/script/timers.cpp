#include "engine/script/timers.h"

#include <js/Array.h>
#include <js/CallAndConstruct.h>
#include <js/PropertyAndElement.h>
#include <js/ValueArray.h>

#include <algorithm>

namespace cordon::engine {

namespace {

// As elsewhere, the largest delay is what fits 31 bits; an interval never spins.
constexpr double kMaxDelayMs = 2147483647;
constexpr double kMinIntervalMs = 1;

Timers::Clock::duration to_duration(double delay_ms, bool repeat) {
  const double least = repeat ? kMinIntervalMs : 0;
  const double bounded = delay_ms >= least ? std::min(delay_ms, kMaxDelayMs) : least;
  return std::chrono::duration_cast<Timers::Clock::duration>(
      std::chrono::duration<double, std::milli>(bounded));
}

bool read_arguments(JSContext* cx, JS::HandleObject array, JS::RootedValueVector& arguments) {
  std::uint32_t length = 0;
  if (!JS::GetArrayLength(cx, array, &length) || !arguments.resize(length)) return false;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (!JS_GetElement(cx, array, i, arguments[i])) return false;
  }
  return true;
}

}  // namespace

std::uint32_t Timers::start(JS::HandleObject callback, JS::HandleObject arguments, double delay_ms,
                            bool repeat) {
  const std::uint32_t id = ++last_id_;
  schedule({id, JS::PersistentRootedObject(cx_, callback),
            JS::PersistentRootedObject(cx_, arguments), to_duration(delay_ms, repeat), repeat});
  return id;
}

void Timers::stop(std::uint32_t id) {
  const auto found = keys_.find(id);
  if (found == keys_.end()) return;
  queue_.erase(found->second);
  keys_.erase(found);
}

std::optional<Timers::Clock::time_point> Timers::next_due() const {
  if (queue_.empty()) return std::nullopt;
  return queue_.begin()->first.first;
}

bool Timers::any_timeout_after(std::uint32_t id) const {
  return std::ranges::any_of(
      queue_, [id](const auto& entry) { return entry.second.id > id && !entry.second.repeat; });
}

bool Timers::run_one() {
  auto node = queue_.extract(queue_.begin());
  const Timer& timer = node.mapped();
  keys_.erase(timer.id);
  JS::RootedValue callback(cx_, JS::ObjectValue(*timer.callback));
  JS::RootedObject array(cx_, timer.arguments);
  // Scheduled again first, so that the callback can stop its own interval.
  if (timer.repeat) schedule(std::move(node.mapped()));
  JS::RootedValueVector arguments(cx_);
  JS::RootedValue ignored(cx_);
  return read_arguments(cx_, array, arguments) &&
         JS::Call(cx_, JS::UndefinedHandleValue, callback, arguments, &ignored);
}

void Timers::schedule(Timer timer) {
  const Key key{Clock::now() + timer.delay, ++last_age_};
  keys_[timer.id] = key;
  queue_.emplace(key, std::move(timer));
}

}  // namespace cordon::engine
