#include "engine/control_channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <span>

#include "messages/build_id.h"
#include "messages/descriptor_passing.h"
#include "messages/payload.h"
#include "messages/spawn.capnp.h"

namespace cordon::engine {

namespace {

template <class Fill>
bool send_frame(int socket, Fill&& fill, std::span<const int> descriptors = {}) {
  return send_packet(socket, Message<wire::EngineFrame>::build(std::forward<Fill>(fill)),
                     descriptors);
}

}  // namespace

bool ControlChannel::plausible() const {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(socket_, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

bool ControlChannel::send_launched(int init, int process) const {
  const int descriptors[] = {init, process};
  return send_frame(
      socket_, [](wire::EngineFrame::Builder frame) { frame.setLaunched(); }, descriptors);
}

bool ControlChannel::send_ready(const std::string& engine, std::uint64_t data_bytes,
                                HugePages huge) const {
  return send_frame(socket_, [&](wire::EngineFrame::Builder frame) {
    auto ready = frame.initReady();
    ready.setEngine(engine);
    ready.setBuild(kj::StringPtr(kBuildId.data(), kBuildId.size()));
    ready.setDataBytes(data_bytes);
    ready.setHugeTextBytes(huge.text);
    ready.setHugeDataBytes(huge.data);
  });
}

bool ControlChannel::send_failed(const StartFailure& failure) const {
  const auto message = Message<wire::EngineFrame>::build([&](wire::EngineFrame::Builder frame) {
    auto failed = frame.initFailed();
    failed.setMechanism(failure.mechanism);
    failed.setMessage(failure.message);
    failed.setRemedy(failure.remedy);
  });
  // write, not sendmsg: a compiler's system call filter knows no socket calls.
  const auto bytes = message.bytes();
  return ::write(socket_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

bool ControlChannel::send_forked(std::uint64_t serial, int pidfd) const {
  const auto fill = [&](wire::EngineFrame::Builder frame) { frame.initForked().setSerial(serial); };
  return send_frame(socket_, fill, std::span(&pidfd, 1));
}

bool ControlChannel::send_fork_failed(std::uint64_t serial, int error) const {
  return send_frame(socket_, [&](wire::EngineFrame::Builder frame) {
    auto forked = frame.initForked();
    forked.setSerial(serial);
    forked.setError(error);
  });
}

std::optional<ForkOrder> ControlChannel::next_order() const {
  Packet packet = receive_packet(socket_);
  if (packet.payload.empty() || packet.descriptors.size() != 1) return std::nullopt;
  const Message<wire::ForkRequest> request(std::move(packet.payload));
  const auto order = request.read();
  return ForkOrder{order->getSerial(), std::move(packet.descriptors.front()), order->getRehearse()};
}

}  // namespace cordon::engine
