#pragma once
// Capability calls on their way to the host and back: each request has a promise that its reply
// settles. The channel is the guest's only door; once it is closed, a call reaches nobody.
//
// The host reads no further while too much of a child is unanswered. So no more than it allows is
// sent, the rest waits here for its turn: what is written always gets through, and with it console
// text and the result, however long the operations take (docs/decisions/003).

#include <js/RootingAPI.h>
#include <js/TypeDecls.h>
#include <js/Value.h>

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "engine/script/channel.h"
#include "engine/script/denial.h"
#include "engine/script/wire.h"

namespace cordon::engine {

class HostCalls {
 public:
  HostCalls(JSContext* cx, Channel& channel, Denials& denials,
            const wire::ChildLimits::Reader& limits)
      : cx_(cx),
        channel_(channel),
        denials_(denials),
        max_open_(limits.getOpenRequests()),
        max_open_bytes_(limits.getOpenBytes()) {}

  // Makes one request, whose arguments `fill` sets on a wire::Request::Builder, and sends it when
  // it is its turn. Returns the promise of its reply, or null with an exception.
  template <class Fill>
  JSObject* send(Fill&& fill) {
    const std::uint64_t id = last_id_ + 1;
    return send_frame(id, Message<wire::ChildFrame>::build([&](wire::ChildFrame::Builder frame) {
                        auto request = frame.initRequest();
                        request.setId(id);
                        std::forward<Fill>(fill)(request);
                      }));
  }

  // Settles the promise that `reply` answers, and sends what has its turn then; a reply to an
  // unknown id is ignored. False, with an exception, when memory ran out.
  bool settle(const wire::Reply::Reader& reply);

  bool idle() const noexcept { return pending_.empty(); }

  // From now on every call is refused with an exception. Those that wait are never made.
  void close() noexcept;

 private:
  struct Pending {
    JS::PersistentRootedObject promise;
    JS::PersistentRootedObject stack;  // where the call was made; may be null
    std::size_t bytes;
    Payload waiting;  // the request, until it is sent
  };

  JSObject* send_frame(std::uint64_t id, const Payload& frame);
  bool has_turn(std::size_t bytes) const noexcept;
  void send_waiting();

  JSContext* cx_;
  Channel& channel_;
  Denials& denials_;
  std::unordered_map<std::uint64_t, Pending> pending_;
  const std::size_t max_open_;
  const std::size_t max_open_bytes_;
  std::size_t open_ = 0;  // sent and not answered
  std::size_t open_bytes_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t last_sent_ = 0;
  bool closed_ = false;
};

}  // namespace cordon::engine
