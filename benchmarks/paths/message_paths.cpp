// What crosses between processes and actors: payloads and frames.

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "benchmarks/paths/path.h"
#include "messages/frame.h"
#include "messages/session.capnp.h"

namespace cordon::paths {
namespace {

using Request = Message<wire::ChildFrame>;
using Reply = Message<wire::HostFrame>;

constexpr std::size_t kCap = 1 << 20;

Request request(std::uint64_t id) {
  return Request::build([&](wire::ChildFrame::Builder frame) {
    auto out = frame.initRequest();
    out.setId(id);
    out.setReadText("/srv/data/report-of-the-day.txt");
  });
}

std::uint64_t id_of(const Request& message) {
  const auto view = message.read();
  const auto in = view->getRequest();
  return in.getId() + in.getReadText().size();
}

// Some requests as they come from a child, back to back.
std::vector<std::byte> stream(std::size_t frames) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < frames; ++i) {
    const Request message = request(i + 1);
    const auto header = frame_header(message.bytes().size());
    bytes.insert(bytes.end(), header.begin(), header.end());
    bytes.insert(bytes.end(), message.bytes().begin(), message.bytes().end());
  }
  return bytes;
}

// In pieces, as a socket hands them out.
std::size_t decode(std::span<const std::byte> bytes, std::size_t piece) {
  FrameDecoder decoder(kCap);
  std::size_t frames = 0;
  while (!bytes.empty()) {
    auto input = bytes.first(std::min(piece, bytes.size()));
    bytes = bytes.subspan(input.size());
    while (!input.empty()) {
      if (!decoder.next(input).empty()) ++frames;
      if (decoder.error()) throw std::logic_error("a frame that cannot be decoded");
    }
  }
  return frames;
}

Work build_request() {
  return [] { keep(request(7)); };
}

Work read_request() {
  const Request message = request(7);
  expect(id_of(message) == 7 + 31, "the request reads differently");
  return [message] { keep(id_of(message)); };
}

Work share_payload() {
  const Payload payload = request(7);
  return [payload] {
    const Payload copy = payload;
    keep(copy);
  };
}

Work build_large_reply() {
  const auto text = std::make_shared<const std::string>(std::size_t{64} << 10, 'x');
  return [text] {
    keep(Reply::build([&](wire::HostFrame::Builder frame) {
      auto reply = frame.initReply();
      reply.setId(7);
      reply.setText(kj::StringPtr(text->c_str(), text->size()));
    }));
  };
}

Work decode_frames(std::size_t piece) {
  constexpr std::size_t kFrames = 64;
  const auto bytes = std::make_shared<const std::vector<std::byte>>(stream(kFrames));
  expect(decode(*bytes, piece) == kFrames, "a frame is lost");
  return [bytes, piece] { keep(decode(*bytes, piece)); };
}

}  // namespace

std::vector<Path> message_paths() {
  return {
      {"payload/build", 20'000, build_request},
      {"payload/build 64 KiB", 100, build_large_reply},
      {"payload/read", 20'000, read_request},
      {"payload/share", 200'000, share_payload},
      {"frame/decode 64", 500, [] { return decode_frames(64 << 10); }},
      {"frame/decode 64 in pieces", 200, [] { return decode_frames(48); }},
  };
}

}  // namespace cordon::paths
