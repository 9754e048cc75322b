#pragma once
// Capability calls on their way to the host and back: each request has a promise that its reply
// settles. The channel is the guest's only door; once it is closed, a call reaches nobody.

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
  HostCalls(JSContext* cx, Channel& channel, Denials& denials) noexcept
      : cx_(cx), channel_(channel), denials_(denials) {}

  // Writes one request, whose arguments `fill` sets on a wire::Request::Builder. Returns the
  // promise of its reply, or null with an exception.
  template <class Fill>
  JSObject* send(Fill&& fill) {
    const std::uint64_t id = last_id_ + 1;
    return send_frame(id, Message<wire::ChildFrame>::build([&](wire::ChildFrame::Builder frame) {
                        auto request = frame.initRequest();
                        request.setId(id);
                        std::forward<Fill>(fill)(request);
                      }));
  }

  // Settles the promise that `reply` answers; a reply to an unknown id is ignored. False, with an
  // exception, when memory ran out.
  bool settle(const wire::Reply::Reader& reply);

  bool idle() const noexcept { return pending_.empty(); }

  // From now on every call is refused with an exception.
  void close() noexcept { open_ = false; }

 private:
  struct Pending {
    JS::PersistentRootedObject promise;
    JS::PersistentRootedObject stack;  // where the call was made; may be null
  };

  JSObject* send_frame(std::uint64_t id, const Payload& frame);

  JSContext* cx_;
  Channel& channel_;
  Denials& denials_;
  std::unordered_map<std::uint64_t, Pending> pending_;
  std::uint64_t last_id_ = 0;
  bool open_ = true;
};

}  // namespace cordon::engine
