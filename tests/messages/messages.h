#pragma once
// Messages and frames for the tests.

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "messages/frame.h"
#include "messages/payload.h"
#include "messages/session.capnp.h"

namespace cordon::test {

using ChildMessage = Message<wire::ChildFrame>;
using Bytes = std::vector<std::byte>;

inline ChildMessage request(std::uint64_t id, const std::string& name) {
  return ChildMessage::build([&](wire::ChildFrame::Builder frame) {
    auto builder = frame.initRequest();
    builder.setId(id);
    builder.setEnvironment(name.c_str());
  });
}

inline ChildMessage result(std::size_t bytes) {
  return ChildMessage::build([&](wire::ChildFrame::Builder frame) {
    auto data = frame.initResult(static_cast<unsigned>(bytes));
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<kj::byte>(i * 31);
  });
}

inline Bytes copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

inline Bytes frame_of(const Payload& payload) {
  const auto header = frame_header(payload.bytes().size());
  Bytes frame(header.begin(), header.end());
  frame.insert(frame.end(), payload.bytes().begin(), payload.bytes().end());
  return frame;
}

inline bool same(const Payload& left, const Payload& right) {
  return copy_of(left.bytes()) == copy_of(right.bytes());
}

inline Payload payload_of(const std::vector<std::uint64_t>& words) {
  Payload payload = Payload::uninitialised(words.size() * sizeof(std::uint64_t));
  std::memcpy(payload.mutable_bytes().data(), words.data(), payload.bytes().size());
  return payload;
}

}  // namespace cordon::test
