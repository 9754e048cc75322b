#include "engine/script/job_queue.h"

#include <js/CallAndConstruct.h>
#include <js/ValueArray.h>

#include <utility>

#include "engine/script/spidermonkey.h"

namespace cordon::engine {

bool JobQueue::enqueue(JS::HandleObject callback) {
  if (!arrivals_.append(callback)) {
    JS_ReportOutOfMemory(cx_);
    return false;
  }
  sm::job_queue_filled(cx_);
  return true;
}

bool JobQueue::run_one() {
  if (next_ == batch_.length()) {
    batch_.get().clear();
    std::swap(batch_.get(), arrivals_.get());
    next_ = 0;
  }
  JS::RootedValue job(cx_, JS::ObjectValue(*batch_[next_]));
  batch_[next_].set(nullptr);
  ++next_;
  if (empty()) sm::job_queue_ran_dry(cx_);
  JS::RootedValue ignored(cx_);
  return JS::Call(cx_, JS::UndefinedHandleValue, job, JS::HandleValueArray::empty(), &ignored);
}

void JobQueue::clear() {
  batch_.get().clear();
  arrivals_.get().clear();
  next_ = 0;
}

}  // namespace cordon::engine
