#pragma once
// Programs in a compiler's place, played by a thread.

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "actors/compile/service_launcher.h"

namespace cordon::test {

inline std::string u32(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

// False once nobody listens.
inline bool say(int fd, const std::string& bytes) {
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t sent = ::send(fd, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// Waits for something to be said; the bytes do not matter.
inline bool hear(int fd) {
  std::array<char, 4096> ignored{};
  return ::recv(fd, ignored.data(), ignored.size(), 0) > 0;
}

// A thread that plays the service on its end of the channel.
class Actor : public ServiceProcess {
 public:
  Actor(UniqueFd channel, std::function<void(int)> part)
      : channel_(std::move(channel)), thread_([part, fd = channel_.get()] {
          part(fd);
          ::shutdown(fd, SHUT_RDWR);
        }) {}
  ~Actor() override {
    ::shutdown(channel_.get(), SHUT_RDWR);
    thread_.join();
  }

 private:
  UniqueFd channel_;
  std::thread thread_;
};

inline Result<LaunchedService, StartFailure> act(std::function<void(int)> part) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return StartFailure{"test", "socketpair", ""};
  }
  UniqueFd ours(ends[0]);
  return LaunchedService{std::move(ours),
                         std::make_unique<Actor>(UniqueFd(ends[1]), std::move(part))};
}

inline ServiceLauncher actor(std::function<void(int)> part) {
  return [part] { return act(part); };
}

inline void stay(int fd) {
  while (hear(fd)) {
  }
}

}  // namespace cordon::test
