#pragma once
// Length-capped framing of the session channel (session.capnp): an 8-byte little-endian byte count,
// then one Cap'n Proto message of that length.

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "messages/payload.h"

namespace cordon {

inline constexpr std::size_t kFrameHeaderBytes = 8;

enum class FrameError : std::uint8_t {
  kLength,    // zero, not a multiple of eight, or over the cap
  kSegments,  // the segment table does not add up to the length
};

std::array<std::byte, kFrameHeaderBytes> frame_header(std::size_t payload_bytes) noexcept;

// Cuts a byte stream into payloads. Bounds before it allocates: at most one payload, of at most the
// cap, is held. After an error every further call fails. Not thread-safe.
class FrameDecoder {
 public:
  explicit FrameDecoder(std::size_t max_payload_bytes) noexcept : cap_(max_payload_bytes) {}

  // Takes bytes from the front of `input` up to the end of one frame. Returns the frame when it is
  // complete, an empty payload when more bytes are needed.
  Payload next(std::span<const std::byte>& input);

  // Reads once by `read`, which takes a span and returns as ::read does, and calls `on_frame` with
  // each frame that is complete then. Long payloads are read to where they belong, in pieces:
  // memory is taken as they come, at most 256 KiB ahead, whatever length was announced. Returns
  // what `read` has.
  template <class Read, class OnFrame>
  ssize_t receive(Read read, OnFrame on_frame) {
    if (const std::span<std::byte> rest = long_rest(); !rest.empty()) {
      const ssize_t count = read(rest);
      if (count <= 0) return count;
      payload_bytes_ += static_cast<std::size_t>(count);
      if (payload_bytes_ < payload_.bytes().size()) return count;
      if (Payload frame = finish(); !frame.empty()) on_frame(std::move(frame));
      return count;
    }
    std::array<std::byte, kReadBytes> buffer;
    const ssize_t count = read(std::span<std::byte>(buffer));
    if (count <= 0) return count;
    std::span<const std::byte> bytes(buffer.data(), static_cast<std::size_t>(count));
    while (!bytes.empty() && !error_) {
      if (Payload frame = next(bytes); !frame.empty()) on_frame(std::move(frame));
    }
    return count;
  }

  std::optional<FrameError> error() const noexcept { return error_; }

 private:
  static constexpr std::size_t kReadBytes = std::size_t{64} << 10;

  void start_payload(std::uint64_t length);
  std::span<std::byte> long_rest() noexcept;
  Payload finish();

  std::size_t cap_;
  std::array<std::byte, kFrameHeaderBytes> header_{};
  std::size_t header_bytes_ = 0;
  Payload payload_;
  std::size_t payload_bytes_ = 0;
  std::size_t populated_bytes_ = 0;
  std::optional<FrameError> error_;
};

// Writes what it can of the frame, header included, that is `payload` from its byte `offset` on.
// Returns as writev does: -1 with errno EAGAIN when a non-blocking `fd` takes nothing now. Uses
// writev alone, which a locked-down child may call.
ssize_t write_frame_part(int fd, const Payload& payload, std::size_t offset);

// The same for a socket, without waiting and without SIGPIPE.
ssize_t send_frame_part(int socket, const Payload& payload, std::size_t offset);

// Blocking forms for a process that does nothing but serve one channel. `fd` is a blocking stream
// descriptor, SIGPIPE is ignored. False or an empty payload on end of file, on an error and on a
// frame over the cap: the channel is then unusable. An empty payload is no frame and is not
// written.
bool write_frame(int fd, const Payload& payload);
Payload read_frame(int fd, std::size_t max_payload_bytes);

}  // namespace cordon
