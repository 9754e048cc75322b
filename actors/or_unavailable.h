#pragma once
// A host with too little for us, as whoever uses a runtime is told of it.

#include <boost/system/system_error.hpp>

#include <new>
#include <system_error>

#include <cordon/runtime.h>

#include "actors/process/start_failure.h"

namespace cordon {

// What `make` gives. Throws Unavailable for a thread, process, descriptor or memory that `make`
// could not have.
template <class Make>
auto or_unavailable(Make make) {
  const auto name_want = [](const auto& error) {
    const auto want = want_of_resources(error.code(), error.what());
    if (want) throw Unavailable(refusal(*want));
  };
  try {
    return make();
  } catch (const std::system_error& error) {
    name_want(error);
    throw;
  } catch (const boost::system::system_error& error) {  // Asio's
    name_want(error);
    throw;
  } catch (const std::bad_alloc&) {
    throw Unavailable(refusal(memory_failure()));
  }
}

}  // namespace cordon
