#pragma once
// Handing descriptors to the event loop.

#include <optional>

#include "actors/process/start_failure.h"
#include "messages/unique_fd.h"

namespace cordon {

// Gives `fd` to an I/O object of Asio's; `protocol` for a socket. Fails, with `fd` still the
// caller's, where the kernel has no room to watch one more.
template <class IoObject, class... Protocol>
std::optional<StartFailure> watch(IoObject& object, UniqueFd& fd, const Protocol&... protocol) {
  boost::system::error_code error;
  object.assign(protocol..., fd.get(), error);
  if (error) {
    return system_failure(
        "event loop", "watching one more descriptor failed", error.value(),
        "raise the limit of watches (fs.epoll.max_user_watches), or check the machine's memory");
  }
  static_cast<void>(fd.release());
  return std::nullopt;
}

}  // namespace cordon
