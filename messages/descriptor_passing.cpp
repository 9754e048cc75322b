#include "messages/descriptor_passing.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace cordon {

namespace {

constexpr std::size_t kControlBytes = CMSG_SPACE(kMaxPacketDescriptors * sizeof(int));

std::vector<UniqueFd> take_descriptors(msghdr& message) {
  std::vector<UniqueFd> taken;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
      taken.emplace_back(fd);
    }
  }
  return taken;
}

}  // namespace

bool send_packet(int socket, const Payload& payload, std::span<const int> descriptors, int flags) {
  if (descriptors.size() > kMaxPacketDescriptors || payload.bytes().size() > kMaxPacketBytes) {
    errno = EMSGSIZE;
    return false;
  }
  iovec data{const_cast<std::byte*>(payload.bytes().data()), payload.bytes().size()};
  alignas(cmsghdr) std::array<char, kControlBytes> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | flags);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(data.iov_len);
}

Packet receive_packet(int socket, int flags) {
  alignas(capnp::word) std::array<std::byte, kMaxPacketBytes> buffer;
  iovec data{buffer.data(), buffer.size()};
  alignas(cmsghdr) std::array<char, kControlBytes> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t received = 0;
  do {
    received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | flags);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return {};
  // The kernel hands over descriptors even of a packet that is refused below: own them first.
  Packet packet{{}, take_descriptors(message)};
  const auto size = static_cast<std::size_t>(received);
  const bool cut = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
  // The kernel says no more than that descriptors are missing: there are more than may be sent, or
  // no room for those.
  if ((message.msg_flags & MSG_CTRUNC) != 0 && packet.descriptors.size() < kMaxPacketDescriptors) {
    errno = EMFILE;
    return {};
  }
  if (size == 0 || size % sizeof(capnp::word) != 0 || cut) {
    errno = EPROTO;
    return {};
  }
  packet.payload = Payload::uninitialised(size);
  std::copy_n(buffer.data(), size, packet.payload.mutable_bytes().data());
  if (!packet.payload.has_sound_segment_table()) {
    errno = EPROTO;
    return {};
  }
  return packet;
}

}  // namespace cordon
