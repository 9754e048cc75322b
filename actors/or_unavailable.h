#pragma once
// A host without a thread for us, as whoever uses a runtime is told of it.

#include <system_error>

#include <cordon/runtime.h>

#include "actors/process/start_failure.h"

namespace cordon {

// What `make` gives. Throws Unavailable for a thread or process that `make` could not start.
template <class Make>
auto or_unavailable(Make make) {
  try {
    return make();
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    throw Unavailable(refusal(thread_failure()));
  }
}

}  // namespace cordon
