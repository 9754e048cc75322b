#pragma once
// One packet of a SEQPACKET control channel (spawn.capnp): a Cap'n Proto message with descriptors.

#include <cstddef>
#include <span>
#include <vector>

#include "messages/payload.h"
#include "messages/unique_fd.h"

namespace cordon {

inline constexpr std::size_t kMaxPacketBytes = 4096;
inline constexpr std::size_t kMaxPacketDescriptors = 2;

struct Packet {
  Payload payload;                    // empty: end of file, an error, or a malformed packet
  std::vector<UniqueFd> descriptors;  // close-on-exec
};

// `flags` as for sendmsg and recvmsg (MSG_DONTWAIT, say). EINTR is handled; errno tells the rest. A
// packet is lost to EMFILE when this process may not have the descriptors that it brings.
bool send_packet(int socket, const Payload& payload, std::span<const int> descriptors,
                 int flags = 0);
Packet receive_packet(int socket, int flags = 0);

}  // namespace cordon
