#include "messages/descriptor_passing.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <catch2/catch.hpp>

#include <array>
#include <cerrno>

#include "messages/spawn.capnp.h"
#include "tests/messages/messages.h"

namespace cordon {
namespace {

struct Pair {
  UniqueFd left;
  UniqueFd right;
};

Pair packet_sockets() {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// left: the read end, which tells when the last copy of the write end is closed.
Pair pipe_ends() {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

bool write_end_is_closed(const UniqueFd& read_end) {
  char byte;
  return ::read(read_end.get(), &byte, 1) == 0;
}

Message<wire::ForkRequest> fork_request(std::uint64_t serial) {
  return Message<wire::ForkRequest>::build(
      [&](wire::ForkRequest::Builder request) { request.setSerial(serial); });
}

// Sends what send_packet() would not.
void send_raw(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors) {
  iovec data{const_cast<std::byte*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(8 * sizeof(int))> control{};
  REQUIRE(descriptors.size() <= 8);
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
  cmsghdr* const part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
  std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
  REQUIRE(::sendmsg(socket, &message, 0) == static_cast<ssize_t>(bytes.size()));
}

TEST_CASE("a packet carries its message and its descriptors") {
  const Pair sockets = packet_sockets();
  Pair pipe = pipe_ends();
  const int both[] = {pipe.left.get(), pipe.right.get()};
  const auto count = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{2});
  REQUIRE(send_packet(sockets.left.get(), fork_request(5), std::span(both).first(count)));
  const Packet packet = receive_packet(sockets.right.get());
  REQUIRE_FALSE(packet.payload.empty());
  CHECK(Message<wire::ForkRequest>(packet.payload).read()->getSerial() == 5);
  REQUIRE(packet.descriptors.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    struct stat sent {};
    struct stat received {};
    REQUIRE(::fstat(both[i], &sent) == 0);
    REQUIRE(::fstat(packet.descriptors[i].get(), &received) == 0);
    CHECK(sent.st_ino == received.st_ino);
    CHECK((::fcntl(packet.descriptors[i].get(), F_GETFD) & FD_CLOEXEC) != 0);
  }
}

TEST_CASE("received descriptors are owned by the packet") {
  const Pair sockets = packet_sockets();
  Pair pipe = pipe_ends();
  const int sent[] = {pipe.right.get()};
  REQUIRE(send_packet(sockets.left.get(), fork_request(1), sent));
  {
    const Packet packet = receive_packet(sockets.right.get());
    pipe.right.reset();
    CHECK_FALSE(write_end_is_closed(pipe.left));
  }
  CHECK(write_end_is_closed(pipe.left));
}

TEST_CASE("packets keep their bounds and their order") {
  const Pair sockets = packet_sockets();
  for (std::uint64_t i = 0; i < 5; ++i)
    REQUIRE(send_packet(sockets.left.get(), fork_request(i), {}));
  for (std::uint64_t i = 0; i < 5; ++i) {
    const Packet packet = receive_packet(sockets.right.get());
    REQUIRE_FALSE(packet.payload.empty());
    CHECK(Message<wire::ForkRequest>(packet.payload).read()->getSerial() == i);
  }
}

TEST_CASE("what is too large is not sent") {
  const Pair sockets = packet_sockets();
  const int three[] = {0, 0, 0};
  errno = 0;
  CHECK_FALSE(send_packet(sockets.left.get(), fork_request(1), three));
  CHECK(errno == EMSGSIZE);
  errno = 0;
  CHECK_FALSE(send_packet(sockets.left.get(), test::result(kMaxPacketBytes), {}));
  CHECK(errno == EMSGSIZE);
  CHECK(receive_packet(sockets.right.get(), MSG_DONTWAIT).payload.empty());
  CHECK(errno == EAGAIN);
}

TEST_CASE("a packet of exactly the largest size arrives") {
  const Pair sockets = packet_sockets();
  std::size_t data = kMaxPacketBytes;
  Payload largest = test::result(data);
  while (largest.bytes().size() > kMaxPacketBytes) largest = test::result(--data);
  REQUIRE(largest.bytes().size() == kMaxPacketBytes);
  REQUIRE(send_packet(sockets.left.get(), largest, {}));
  CHECK(test::same(receive_packet(sockets.right.get()).payload, largest));
}

TEST_CASE("a refused packet's descriptors are closed") {
  const Pair sockets = packet_sockets();
  Pair pipe = pipe_ends();
  test::Bytes bytes = test::copy_of(fork_request(1).bytes());
  std::vector<int> descriptors{pipe.right.get()};
  SECTION("of an odd length") { bytes.pop_back(); }
  SECTION("with an unsound segment table") { bytes[0] = std::byte{200}; }
  SECTION("too long") { bytes.resize(kMaxPacketBytes + 8); }
  SECTION("with too many descriptors") { descriptors.assign(5, pipe.right.get()); }
  send_raw(sockets.left.get(), bytes, descriptors);
  pipe.right.reset();
  errno = 0;
  const Packet packet = receive_packet(sockets.right.get());
  CHECK(packet.payload.empty());
  CHECK(packet.descriptors.empty());
  CHECK(errno == EPROTO);
  CHECK(write_end_is_closed(pipe.left));
}

TEST_CASE("the end of the channel is an empty packet, and sending there fails without a signal") {
  Pair sockets = packet_sockets();
  sockets.left.reset();
  CHECK(receive_packet(sockets.right.get()).payload.empty());
  CHECK_FALSE(send_packet(sockets.right.get(), fork_request(1), {}));
  CHECK(errno == EPIPE);
}

}  // namespace
}  // namespace cordon
