#pragma once
// The guest's memory budget: the collector's heap and the buffers that its objects own.
//
// Near its limit the collector would run for seconds without freeing anything. So the run ends when
// a collection leaves more than 90 % in use; a single allocation that fails is an exception.

#include <js/TypeDecls.h>

#include <cstddef>

namespace cordon::engine {

class MemoryLimit {
 public:
  // From now on, `budget` bytes above what is in use already; 0 is no limit.
  void start(JSContext* cx, std::size_t budget);

  // After a collection: ends the guest's code when too much is left. Does not allocate.
  void collected(JSContext* cx);
  void allocation_failed() noexcept { allocation_failed_ = true; }

  bool exceeded() const noexcept { return exceeded_; }
  // Whether the engine ever threw "out of memory".
  bool any_allocation_failed() const noexcept { return allocation_failed_; }

 private:
  std::size_t budget_ = 0;  // 0: no limit
  std::size_t heap_before_ = 0;
  std::size_t buffers_before_ = 0;
  bool exceeded_ = false;
  bool allocation_failed_ = false;
};

}  // namespace cordon::engine
