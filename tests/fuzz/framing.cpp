// The frame decoder: whatever the pieces, the same frames come out, none larger than the cap.

#include <algorithm>
#include <span>
#include <vector>

#include "messages/frame.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

namespace {

// Payloads from 64 KiB on are read in another way.
constexpr std::size_t kCap = std::size_t{96} << 10;

struct Decoded {
  std::vector<Payload> frames;
  bool failed = false;
};

Decoded decode(std::span<const std::byte> bytes, std::size_t piece) {
  FrameDecoder decoder(kCap);
  Decoded all;
  while (!bytes.empty() && !decoder.error()) {
    std::span<const std::byte> input = bytes.first(std::min(piece, bytes.size()));
    bytes = bytes.subspan(input.size());
    while (!input.empty() && !decoder.error()) {
      Payload frame = decoder.next(input);
      if (!frame.empty()) all.frames.push_back(std::move(frame));
    }
  }
  all.failed = decoder.error().has_value();
  return all;
}

// By reads of so many bytes at most.
Decoded receive(std::span<const std::byte> bytes, std::size_t piece) {
  FrameDecoder decoder(kCap);
  Decoded all;
  while (!bytes.empty() && !decoder.error()) {
    decoder.receive(
        [&](std::span<std::byte> into) {
          const auto read = bytes.first(std::min({piece, bytes.size(), into.size()}));
          std::copy(read.begin(), read.end(), into.begin());
          bytes = bytes.subspan(read.size());
          return static_cast<ssize_t>(read.size());
        },
        [&](Payload frame) { all.frames.push_back(std::move(frame)); });
  }
  all.failed = decoder.error().has_value();
  return all;
}

void require_same(const Decoded& whole, const Decoded& pieces) {
  fuzz::require(whole.failed == pieces.failed, "pieces decide whether decoding fails");
  fuzz::require(whole.frames.size() == pieces.frames.size(), "pieces change the number of frames");
  for (std::size_t i = 0; i < whole.frames.size(); ++i) {
    const auto a = whole.frames[i].bytes();
    const auto b = pieces.frames[i].bytes();
    fuzz::require(std::equal(a.begin(), a.end(), b.begin(), b.end()), "pieces change a frame");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::vector<std::byte> stream(size - 2);
  std::transform(data + 2, data + size, stream.begin(), [](auto byte) { return std::byte(byte); });
  // What a long payload announces may come.
  if (data[1] % 4 == 0) stream.resize(stream.size() + kCap + data[1]);
  const std::span<const std::byte> bytes(stream);
  const Decoded whole = decode(bytes, bytes.size());
  require_same(whole, decode(bytes, std::size_t{1} + data[0]));
  require_same(whole, receive(bytes, std::size_t{1} + data[0] * (data[1] % 4 == 0 ? 256U : 1U)));
  for (const Payload& frame : whole.frames) {
    fuzz::require(frame.bytes().size() <= kCap, "a frame over the cap");
    fuzz::require(frame.has_sound_segment_table(), "a frame with an unsound table");
  }
  return 0;
}
