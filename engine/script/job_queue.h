#pragma once
// Microtasks: promise jobs and queueMicrotask callbacks, in order of arrival.

#include <js/GCVector.h>
#include <js/RootingAPI.h>
#include <js/TypeDecls.h>

#include <cstddef>

namespace cordon::engine {

class JobQueue {
 public:
  explicit JobQueue(JSContext* cx) : cx_(cx), batch_(cx), arrivals_(cx) {}

  // False, with an exception, when memory ran out.
  bool enqueue(JS::HandleObject callback);
  bool empty() const noexcept { return next_ == batch_.length() && arrivals_.empty(); }

  // Runs the oldest job. What it threw is left pending and makes this false.
  bool run_one();

  void clear();

 private:
  JSContext* cx_;
  JS::PersistentRootedObjectVector batch_;  // jobs before `next_` have run
  JS::PersistentRootedObjectVector arrivals_;
  std::size_t next_ = 0;
};

}  // namespace cordon::engine
