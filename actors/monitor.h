#pragma once
// That one actor watches another: a member of the watcher's state. Its down handler hears of the
// end.
//
// CAF keeps the memory of whoever watches an actor until that one ends, and a pool or an auditor
// outlives its calls: so the watch ends with the watcher, whatever that ends of.

#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/local_actor.hpp>

namespace cordon {

class Monitor {
 public:
  // `whom` may be null: then it watches nobody. One that is gone already is told of at once.
  Monitor(caf::local_actor* self, const caf::strong_actor_ptr& whom)
      : self_(self), whom_(caf::actor_cast<caf::actor_addr>(whom)) {
    if (whom) self_->monitor(whom);
  }
  ~Monitor() {
    if (whom_) self_->demonitor(whom_);
  }
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

 private:
  caf::local_actor* self_;
  caf::actor_addr whom_;
};

}  // namespace cordon
