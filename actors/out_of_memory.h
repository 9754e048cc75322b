#pragma once
// The last resort of an actor that has no memory for a message: it ends, and the destructor of its
// state answers for it. No fault of the program's, so standard error hears nothing of it.

#include <caf/scheduled_actor.hpp>
#include <caf/sec.hpp>

#include <exception>
#include <new>

namespace cordon {

// `remember` tells the state why.
template <class Self, class Remember>
void end_when_out_of_memory(Self self, Remember remember) {
  self->set_exception_handler(
      [remember](caf::scheduled_actor* actor, std::exception_ptr& thrown) -> caf::error {
        try {
          std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
          remember();
          return caf::sec::runtime_error;
        } catch (...) {
          return caf::scheduled_actor::default_exception_handler(actor, thrown);
        }
      });
}

}  // namespace cordon
