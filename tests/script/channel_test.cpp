// The child's end of the channel: answers are found whether they come while it looks for them or
// when it has gone to sleep, and so is the end of the stream.

#include "engine/script/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <thread>

#include "messages/unique_fd.h"

using namespace cordon;
using namespace std::chrono_literals;

namespace {

struct Ends {
  UniqueFd host;
  UniqueFd child;
};

Ends make_ends() {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Payload answer(std::uint64_t id) {
  return Message<wire::HostFrame>::build(
      [&](wire::HostFrame::Builder frame) { frame.initReply().setId(id); });
}

Payload request(std::uint64_t id) {
  return Message<wire::ChildFrame>::build(
      [&](wire::ChildFrame::Builder frame) { frame.initRequest().setId(id); });
}

bool send(int to, const Payload& frame) {
  const auto size = static_cast<ssize_t>(kFrameHeaderBytes + frame.bytes().size());
  return write_frame_part(to, frame, 0) == size;
}

std::uint64_t id_of(const Payload& frame) {
  return Message<wire::HostFrame>(frame).read()->getReply().getId();
}

void wait_until_asleep(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
  for (;;) {
    std::string stat;
    std::getline(std::ifstream(path), stat);
    if (stat.at(stat.rfind(')') + 2) == 'S') return;
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("answers are found at once and late, in turns") {
  const Ends ends = make_ends();
  engine::DescriptorChannel channel(ends.child.get());
  const pid_t child = ::gettid();
  constexpr std::uint64_t kAnswers = 300;  // past the longest row of looks left out
  bool sent = true;
  std::thread host([&] {
    // A look costs 80 µs at most, so whoever sleeps has given up looking or has not begun.
    for (std::uint64_t id = 1; id <= kAnswers; ++id) {
      char byte = 0;
      while (::recv(ends.host.get(), &byte, 1, MSG_PEEK) != 1) std::this_thread::yield();
      char taken[256];
      while (::read(ends.host.get(), taken, sizeof taken) > 0) {
      }
      if (id % 3 != 0) wait_until_asleep(child);
      sent = sent && send(ends.host.get(), answer(id));
    }
  });
  std::uint64_t right = 0;
  for (std::uint64_t id = 1; id <= kAnswers; ++id) {
    if (!channel.write(request(id))) break;
    if (id % 2 == 0 && !channel.wait(10s)) break;
    if (id_of(channel.read()) == id) ++right;
  }
  host.join();
  CHECK(sent);
  CHECK(right == kAnswers);
}

TEST_CASE("a wait that is over before any answer says so") {
  const Ends ends = make_ends();
  engine::DescriptorChannel channel(ends.child.get());
  REQUIRE(channel.write(request(1)));
  CHECK_FALSE(channel.wait(1ms));
  CHECK_FALSE(channel.wait(0ms));
  REQUIRE(send(ends.host.get(), answer(1)));
  CHECK(channel.wait(0ms));
  CHECK(id_of(channel.read()) == 1);
}

TEST_CASE("the end of the stream is found instead of an answer") {
  Ends ends = make_ends();
  engine::DescriptorChannel channel(ends.child.get());
  REQUIRE(channel.write(request(1)));
  SECTION("while it looks") { ends.host.reset(); }
  SECTION("when it sleeps") {
    const pid_t child = ::gettid();
    std::thread host([&ends, child] {
      wait_until_asleep(child);
      ends.host.reset();
    });
    CHECK(channel.read().empty());
    host.join();
  }
  CHECK(channel.read().empty());
  CHECK(channel.closed());
}
