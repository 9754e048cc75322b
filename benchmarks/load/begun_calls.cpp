#include "benchmarks/load/begun_calls.h"

#include <utility>
#include <variant>

namespace cordon::load {

BegunCalls::BegunCalls(Runtime& runtime, const Workload& workload, const Timeline& timeline)
    : runtime_(runtime),
      workload_(workload),
      timeline_(timeline),
      checker_([this](const std::stop_token& stop) { check_all(stop); }) {}

void BegunCalls::begin(std::uint64_t number, Done done) {
  AISandbox made = sandbox_for(runtime_, workload_, number);
  const std::lock_guard beginning(beginning_);
  Call* call = nullptr;
  {
    const std::lock_guard lock(mutex_);
    call = &calls_.try_emplace(number, std::move(made), std::move(done)).first->second;
  }
  const Job& job = workload_.kinds[workload_.kind_of(number)].job;
  call->sandbox.call_then(job.arguments, [this, number](CallAnswer answer) {
    ended({number, timeline_.now(), std::move(answer)});
  });
}

void BegunCalls::ended(Ended call) {
  const std::lock_guard lock(mutex_);
  ended_.push_back(std::move(call));
  change_.notify_one();  // within the lock: this object is there until it is released
}

void BegunCalls::check_all(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (change_.wait(lock, stop, [this] { return !ended_.empty(); })) {
    const Ended ended = std::move(ended_.front());
    ended_.pop_front();
    auto call = calls_.extract(ended.number);
    lock.unlock();
    { const std::lock_guard begun(beginning_); }
    const Done done = std::move(call.mapped().done);
    CallEnd end = check(ended);
    call = {};  // the sandbox is gone before its place is free
    done(std::move(end));
    lock.lock();
  }
}

CallEnd BegunCalls::check(const Ended& call) const {
  if (const auto* const refused = std::get_if<CallError>(&call.answer)) {
    const bool busy = refused->reason() == CallError::Reason::kBusy;
    return {.how = busy ? CallEnd::How::kBusy : CallEnd::How::kWrong,
            .at = call.at,
            .message = refused->what()};
  }
  try {
    return {.result = judge(workload_, call.number, std::get<Outcome>(call.answer), 0),
            .at = call.at};
  } catch (const WrongResult& error) {
    return {.how = CallEnd::How::kWrong, .at = call.at, .message = error.what()};
  }
}

}  // namespace cordon::load
