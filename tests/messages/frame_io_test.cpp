#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <thread>

#include "messages/frame.h"
#include "messages/unique_fd.h"
#include "tests/messages/allocation_watch.h"
#include "tests/messages/messages.h"

namespace cordon {
namespace {

constexpr std::size_t kCap = std::size_t{16} << 20;

struct Channel {
  UniqueFd left;
  UniqueFd right;
};

Channel channel() {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  ::signal(SIGPIPE, SIG_IGN);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    REQUIRE(count > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

// A handler without SA_RESTART: system calls that it hits return early.
void interrupt_with_sigusr1() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  REQUIRE(::sigaction(SIGUSR1, &action, nullptr) == 0);
}

TEST_CASE("frames of every size cross a channel") {
  const Channel ends = channel();
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{70'000}, kCap / 2}) {
    const Payload sent = test::result(bytes);
    bool written = false;
    std::thread writer([&] { written = write_frame(ends.left.get(), sent); });
    const Payload received = read_frame(ends.right.get(), kCap);
    writer.join();
    CHECK(written);
    CHECK(test::same(sent, received));
  }
}

TEST_CASE("interrupted writes and reads are taken up again") {
  interrupt_with_sigusr1();
  const Channel ends = channel();
  const Payload sent = test::result(std::size_t{4} << 20);
  SECTION("write") {
    bool written = false;
    std::thread writer([&] { written = write_frame(ends.left.get(), sent); });
    FrameDecoder decoder(kCap);
    Payload received;
    std::array<std::byte, 60'000> buffer;
    while (received.empty() && !decoder.error()) {
      ::pthread_kill(writer.native_handle(), SIGUSR1);
      const ssize_t count = ::read(ends.right.get(), buffer.data(), buffer.size());
      if (count <= 0) break;
      std::span<const std::byte> input(buffer.data(), static_cast<std::size_t>(count));
      received = decoder.next(input);
    }
    writer.join();
    CHECK(written);
    CHECK(test::same(sent, received));
  }
  SECTION("read") {
    Payload received;
    std::thread reader([&] { received = read_frame(ends.right.get(), kCap); });
    const test::Bytes frame = test::frame_of(sent);
    for (std::size_t at = 0; at < frame.size(); at += 60'000) {
      write_all(ends.left.get(),
                std::span(frame).subspan(at, std::min<std::size_t>(60'000, frame.size() - at)));
      ::pthread_kill(reader.native_handle(), SIGUSR1);
    }
    reader.join();
    CHECK(test::same(sent, received));
  }
}

TEST_CASE("read_frame refuses what is no frame") {
  Channel ends = channel();
  const auto read_after = [&](std::span<const std::byte> bytes, std::size_t cap) {
    write_all(ends.left.get(), bytes);
    ends.left.reset();
    return read_frame(ends.right.get(), cap);
  };
  const Payload payload = test::result(100);
  const test::Bytes frame = test::frame_of(payload);
  SECTION("end of file at once") { CHECK(read_after({}, kCap).empty()); }
  SECTION("end of file in the header") {
    CHECK(read_after(std::span(frame).first(5), kCap).empty());
  }
  SECTION("end of file in the payload") {
    CHECK(read_after(std::span(frame).first(frame.size() - 1), kCap).empty());
  }
  SECTION("over the cap") { CHECK(read_after(frame, payload.bytes().size() - 8).empty()); }
  SECTION("enormous, without allocating for it") {
    test::forget_allocations();
    CHECK(read_after(frame_header(std::size_t{1} << 40), ~std::size_t{0}).empty());
    CHECK(test::largest_allocation() < 4096);
  }
  SECTION("a length of zero") { CHECK(read_after(frame_header(0), kCap).empty()); }
  SECTION("an unsound segment table") {
    test::Bytes bad = frame;
    bad[kFrameHeaderBytes] = std::byte{9};
    CHECK(read_after(bad, kCap).empty());
  }
  SECTION("exactly the cap is a frame") {
    CHECK(test::same(read_after(frame, payload.bytes().size()), payload));
  }
}

TEST_CASE("write_frame reports a channel that is gone, and writes no empty frame") {
  Channel ends = channel();
  CHECK_FALSE(write_frame(ends.left.get(), Payload()));
  std::byte byte;
  CHECK(::recv(ends.right.get(), &byte, 1, MSG_DONTWAIT) == -1);
  ends.right.reset();
  CHECK_FALSE(write_frame(ends.left.get(), test::result(1)));
}

}  // namespace
}  // namespace cordon
