#include "messages/frame.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "messages/populate.h"

namespace cordon {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");

namespace {

bool valid_length(std::uint64_t length, std::size_t cap) noexcept {
  return length != 0 && length % sizeof(capnp::word) == 0 && length <= cap &&
         length <= kMaxPayloadBytes;
}

bool read_exactly(int fd, std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t count = ::read(fd, out.data(), out.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    out = out.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

// What is left of a frame from a byte on.
struct FramePart {
  FramePart(const Payload& payload, std::size_t offset)
      : header(frame_header(payload.bytes().size())) {
    for (std::span<const std::byte> part : {std::span<const std::byte>(header), payload.bytes()}) {
      const std::size_t skipped = std::min(offset, part.size());
      offset -= skipped;
      part = part.subspan(skipped);
      if (!part.empty()) vectors[count++] = {const_cast<std::byte*>(part.data()), part.size()};
    }
  }
  FramePart(const FramePart&) = delete;
  FramePart& operator=(const FramePart&) = delete;

  const std::array<std::byte, kFrameHeaderBytes> header;
  iovec vectors[2];
  int count = 0;
};

}  // namespace

std::array<std::byte, kFrameHeaderBytes> frame_header(std::size_t payload_bytes) noexcept {
  return std::bit_cast<std::array<std::byte, kFrameHeaderBytes>>(std::uint64_t{payload_bytes});
}

void FrameDecoder::start_payload(std::uint64_t length) {
  header_bytes_ = 0;
  if (!valid_length(length, cap_)) {
    error_ = FrameError::kLength;
    return;
  }
  payload_ = Payload::uninitialised(static_cast<std::size_t>(length));
  payload_bytes_ = 0;
  populated_bytes_ = 0;
}

std::span<std::byte> FrameDecoder::long_rest() noexcept {
  constexpr std::size_t kPiece = std::size_t{256} << 10;
  const auto rest = payload_.mutable_bytes().subspan(payload_.empty() ? 0 : payload_bytes_);
  if (error_ || rest.size() < kReadBytes) return {};
  const auto piece = rest.first(std::min(rest.size(), kPiece));
  // Not for one that has only announced its length.
  if (payload_bytes_ >= kReadBytes / 2 && populated_bytes_ < payload_bytes_ + kReadBytes) {
    populate(piece);
    populated_bytes_ = payload_bytes_ + piece.size();
  }
  return piece;
}

// The payload is whole.
Payload FrameDecoder::finish() {
  if (!payload_.has_sound_segment_table()) {
    error_ = FrameError::kSegments;
    return {};
  }
  return std::exchange(payload_, Payload());
}

Payload FrameDecoder::next(std::span<const std::byte>& input) {
  while (!input.empty() && !error_) {
    if (payload_.empty()) {
      const std::size_t count = std::min(input.size(), kFrameHeaderBytes - header_bytes_);
      std::memcpy(header_.data() + header_bytes_, input.data(), count);
      header_bytes_ += count;
      input = input.subspan(count);
      if (header_bytes_ == kFrameHeaderBytes) start_payload(std::bit_cast<std::uint64_t>(header_));
      continue;
    }
    const auto room = payload_.mutable_bytes();
    const std::size_t count = std::min(input.size(), room.size() - payload_bytes_);
    std::memcpy(room.data() + payload_bytes_, input.data(), count);
    payload_bytes_ += count;
    input = input.subspan(count);
    if (payload_bytes_ == room.size()) return finish();
  }
  return {};
}

ssize_t write_frame_part(int fd, const Payload& payload, std::size_t offset) {
  FramePart part(payload, offset);
  return ::writev(fd, part.vectors, part.count);
}

ssize_t send_frame_part(int socket, const Payload& payload, std::size_t offset) {
  FramePart part(payload, offset);
  msghdr message{};
  message.msg_iov = part.vectors;
  message.msg_iovlen = static_cast<std::size_t>(part.count);
  return ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

bool write_frame(int fd, const Payload& payload) {
  if (payload.empty()) return false;
  const std::size_t size = kFrameHeaderBytes + payload.bytes().size();
  for (std::size_t offset = 0; offset < size;) {
    const ssize_t written = write_frame_part(fd, payload, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    offset += static_cast<std::size_t>(written);
  }
  return true;
}

Payload read_frame(int fd, std::size_t max_payload_bytes) {
  std::array<std::byte, kFrameHeaderBytes> header{};
  if (!read_exactly(fd, header)) return {};
  const auto length = std::bit_cast<std::uint64_t>(header);
  if (!valid_length(length, max_payload_bytes)) return {};
  Payload payload = Payload::uninitialised(static_cast<std::size_t>(length));
  if (!read_exactly(fd, payload.mutable_bytes()) || !payload.has_sound_segment_table()) return {};
  return payload;
}

}  // namespace cordon
