#include "actors/schedule/io_clock.h"

#include <caf/abstract_actor.hpp>
#include <caf/actor_cast.hpp>

#include <boost/asio/post.hpp>

namespace cordon {

namespace {

caf::strong_actor_ptr hold(caf::abstract_actor* actor) {
  return caf::actor_cast<caf::strong_actor_ptr>(actor);
}

caf::abstract_actor* get(const caf::strong_actor_ptr& actor) {
  return caf::actor_cast<caf::abstract_actor*>(actor);
}

}  // namespace

template <class F>
void IoClock::apply(F change) {
  if (stopped_) return;
  if (io_.get_executor().running_in_this_thread()) {
    change();
    arm();
    return;
  }
  boost::asio::post(io_, [this, change = std::move(change)]() mutable {
    if (stopped_) return;
    change();
    arm();
  });
}

// A timer that turns out to be too early is left alone: it fires, finds nothing, and is set again.
void IoClock::arm() {
  if (schedule_.empty()) return;
  const auto due = schedule_.begin()->first;
  if (armed_ && timer_.expiry() <= due) return;
  timer_.expires_at(due);
  armed_ = true;
  timer_.async_wait([this](auto error) {
    if (error) return;
    armed_ = false;
    trigger_expired_timeouts();
    arm();
  });
}

void IoClock::set_ordinary_timeout(time_point due, caf::abstract_actor* self, caf::atom_value type,
                                   std::uint64_t id) {
  apply([this, due, actor = hold(self), type, id] {
    Base::set_ordinary_timeout(due, get(actor), type, id);
  });
}

void IoClock::set_multi_timeout(time_point due, caf::abstract_actor* self, caf::atom_value type,
                                std::uint64_t id) {
  apply([this, due, actor = hold(self), type, id] {
    Base::set_multi_timeout(due, get(actor), type, id);
  });
}

void IoClock::set_request_timeout(time_point due, caf::abstract_actor* self, caf::message_id id) {
  apply([this, due, actor = hold(self), id] { Base::set_request_timeout(due, get(actor), id); });
}

// Cancelling goes by number: an actor that is being destroyed cancels too, and must not be held.
void IoClock::cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) {
  apply([this, id = self->id(), type] { handle(ordinary_timeout_cancellation{id, type}); });
}

void IoClock::cancel_request_timeout(caf::abstract_actor* self, caf::message_id request) {
  apply([this, id = self->id(), request] { handle(request_timeout_cancellation{id, request}); });
}

void IoClock::cancel_timeouts(caf::abstract_actor* self) {
  apply([this, id = self->id()] { handle(timeouts_cancellation{id}); });
}

void IoClock::schedule_message(time_point due, caf::strong_actor_ptr receiver,
                               caf::mailbox_element_ptr content) {
  apply([this, due, receiver = std::move(receiver), content = std::move(content)]() mutable {
    Base::schedule_message(due, std::move(receiver), std::move(content));
  });
}

void IoClock::schedule_message(time_point due, caf::group target, caf::strong_actor_ptr sender,
                               caf::message content) {
  apply([this, due, target = std::move(target), sender = std::move(sender),
         content = std::move(content)]() mutable {
    Base::schedule_message(due, std::move(target), std::move(sender), std::move(content));
  });
}

void IoClock::cancel_all() {
  apply([this] { Base::cancel_all(); });
}

void IoClock::stop() {
  stopped_ = true;
  timer_.cancel();
  Base::cancel_all();
}

}  // namespace cordon
