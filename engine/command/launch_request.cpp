#include "engine/command/launch_request.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace cordon::engine {

Result<LaunchRequest, StartFailure> read_launch_request(int fd) {
  constexpr const char* kMechanism = "launch request";
  struct stat info {};
  if (::fstat(fd, &info) != 0) return system_failure(kMechanism, "fstat failed", kSystemCallRemedy);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0 || size % sizeof(capnp::word) != 0 || size > kMaxPayloadBytes) {
    return StartFailure{kMechanism, "the request has a length that none can have", "report this"};
  }
  Payload payload = Payload::uninitialised(size);
  std::span<std::byte> left = payload.mutable_bytes();
  while (!left.empty()) {
    const ssize_t got =
        ::pread(fd, left.data(), left.size(), static_cast<off_t>(size - left.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return system_failure(kMechanism, "reading it failed", "free memory");
    left = left.subspan(static_cast<std::size_t>(got));
  }
  return LaunchRequest(std::move(payload));
}

}  // namespace cordon::engine
