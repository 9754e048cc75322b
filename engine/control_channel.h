#pragma once
// The engine's end of the control channel (spawn.capnp).

#include <cstdint>
#include <optional>
#include <string>

#include "engine/start_failure.h"
#include "messages/unique_fd.h"

namespace cordon::engine {

inline constexpr int kControl = 3;   // SEQPACKET socket
inline constexpr int kLifeline = 4;  // read end of a pipe; end of file: the host is gone

struct ForkOrder {
  std::uint64_t serial = 0;
  UniqueFd channel;       // the child's end
  bool rehearse = false;  // the child's job will come later
};

// Bytes of the engine that lie on huge pages.
struct HugePages {
  std::uint64_t text = 0;
  std::uint64_t data = 0;
};

class ControlChannel {
 public:
  explicit ControlChannel(int socket) noexcept : socket_(socket) {}

  // Whether a Cordon host has started this process: the descriptor is such a socket.
  bool plausible() const;

  // Each is false when the host is gone.
  bool send_launched(int init, int process) const;
  bool send_ready(const std::string& engine, std::uint64_t data_bytes, HugePages huge) const;
  bool send_failed(const StartFailure& failure) const;
  bool send_forked(std::uint64_t serial, int pidfd) const;
  bool send_fork_failed(std::uint64_t serial, int error) const;

  // Blocks. Nothing when the host has closed the channel, or does not speak the protocol.
  std::optional<ForkOrder> next_order() const;

 private:
  int socket_;
};

}  // namespace cordon::engine
