// Programs in the compiler's place that lie, break off, flood or say nothing.

#include <catch2/catch.hpp>

#include <esbuild_version.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "actors/compile/esbuild_protocol.h"
#include "tests/compile/direct_launcher.h"
#include "tests/compile/running_client.h"
#include "tests/compile/service_actor.h"

namespace cordon {
namespace {

using test::act;
using test::actor;
using test::hear;
using test::Outcome;
using test::RunningClient;
using test::say;
using test::stay;
using test::u32;

const std::string kVersion =
    u32(static_cast<std::uint32_t>(kEsbuildVersion.size())) + std::string(kEsbuildVersion);

TEST_CASE("a program that is not the compiler is refused at the start") {
  const auto part = GENERATE(values<std::function<void(int)>>({
      [](int) {},
      [](int fd) { stay(fd); },
      [](int fd) { say(fd, u32(5) + "0.1.2"); },
      [](int fd) { say(fd, u32(0xffffffff) + "0.1.2"); },
      [](int fd) { say(fd, "usage: something else entirely\n"); },
      [](int fd) {
        say(fd, kVersion.substr(0, 6));
        stay(fd);
      },
  }));
  boost::asio::io_context io;
  CompilerOptions options;
  options.deadline = std::chrono::milliseconds(200);
  const auto started = CompilerClient::start(io, options, {actor(part)});
  REQUIRE_FALSE(started.has_value());
  CHECK(started.error().mechanism == "TypeScript compiler");
}

struct Lie {
  const char* name;
  std::function<void(int)> part;  // after the version and the first bytes of a request
};

TEST_CASE("a service that lies answers nobody and hurts nobody") {
  const auto lie = GENERATE(values<Lie>({
      {"closes", [](int) {}},
      {"is silent", [](int fd) { stay(fd); }},
      {"garbage",
       [](int fd) {
         say(fd, std::string(100000, '\xaa'));
         stay(fd);
       }},
      {"zeros",
       [](int fd) {
         say(fd, std::string(100000, '\0'));
         stay(fd);
       }},
      {"half a length", [](int fd) { say(fd, u32(100).substr(0, 2)); }},
      {"half a frame", [](int fd) { say(fd, u32(100) + u32(1) + "\x06"); }},
      {"half a frame, then silence",
       [](int fd) {
         say(fd, u32(100) + u32(1) + "\x06");
         stay(fd);
       }},
      {"unknown id",
       [](int fd) {
         say(fd, u32(5) + u32(999 << 1 | 1) + std::string(1, '\0'));
         stay(fd);
       }},
      {"a request of its own",
       [](int fd) {
         say(fd, u32(5) + u32(0) + std::string(1, '\0'));
         stay(fd);
       }},
      {"no answer in the answer",
       [](int fd) {
         say(fd, u32(5) + u32(1) + std::string(1, '\0'));
         stay(fd);
       }},
      {"huge length",
       [](int fd) {
         say(fd, u32(0xffffffff) + u32(1));
         stay(fd);
       }},
      {"long answer",
       [](int fd) {
         say(fd, u32(30u << 20) + u32(1));
         stay(fd);
       }},
      {"length without id",
       [](int fd) {
         say(fd, u32(3) + u32(1));
         stay(fd);
       }},
      {"trickle",  // a byte now and then is no progress
       [](int fd) {
         say(fd, u32(1 << 20) + u32(1));
         pollfd until_closed{fd, POLLRDHUP, 0};
         while (say(fd, "x") && ::poll(&until_closed, 1, 5) == 0) {
         }
       }},
      {"nested without end",
       [](int fd) {
         std::string deep = u32(1) + "\x06" + u32(1) + u32(4) + "code";
         for (int i = 0; i < 10'000; ++i) deep += "\x05" + u32(1);
         say(fd, u32(static_cast<std::uint32_t>(deep.size())) + deep);
         stay(fd);
       }},
      {"flood",
       [](int fd) {
         const std::string answer = u32(1 << 20) + u32(1) + std::string((1 << 20) - 4, 'x');
         while (say(fd, answer)) {
         }
       }},
  }));
  INFO(lie.name);
  std::atomic<int> starts = 0;
  RunningClient client(actor([&](int fd) {
                         ++starts;
                         say(fd, kVersion);
                         if (hear(fd)) lie.part(fd);
                       }),
                       std::chrono::milliseconds(300));
  auto outcomes = client.start_all(std::vector<std::string>(10, "let x: number = 1"));
  for (auto& outcome : outcomes) {
    const Outcome answered = test::get(std::move(outcome));
    REQUIRE_FALSE(answered.has_value());
    CHECK(answered.error().kind == CompileFailure::Kind::kResources);
    CHECK(answered.error().message.find("compiler") != std::string::npos);
  }
  CHECK(starts >= 2);
}

TEST_CASE("a deaf service is given up") {
  // Larger than what the channel holds, so that the request cannot even be sent.
  RunningClient client(actor([](int fd) {
                         say(fd, kVersion);
                         pollfd until_closed{fd, POLLRDHUP, 0};
                         ::poll(&until_closed, 1, -1);
                       }),
                       std::chrono::milliseconds(300));
  auto outcomes = client.start_all(std::vector<std::string>(3, std::string(400'000, ' ')));
  for (auto& outcome : outcomes) {
    CHECK(test::get(std::move(outcome)).error().kind == CompileFailure::Kind::kResources);
  }
}

// A request's packet after its length, or nothing at the end.
std::string hear_packet(int fd) {
  std::string bytes(4, '\0');
  if (::recv(fd, bytes.data(), bytes.size(), MSG_WAITALL) != 4) return {};
  bytes.resize(esbuild::read_u32(bytes));
  const ssize_t got = ::recv(fd, bytes.data(), bytes.size(), MSG_WAITALL);
  return got == static_cast<ssize_t>(bytes.size()) ? bytes : std::string();
}

// "let x = 1;" and no map, to a request's packet.
std::string answer_to(const std::string& packet) {
  const auto text = [](const std::string& value) {
    return u32(static_cast<std::uint32_t>(value.size())) + value;
  };
  return text(u32(esbuild::read_u32(packet) | 1) + "\x06" + u32(1) + text("code") + "\x03" +
              text("let x = 1;"));
}

// Answers each request, but hangs at one that holds `slow`.
void serve_until_slow(int fd) {
  say(fd, kVersion);
  for (std::string packet = hear_packet(fd); !packet.empty(); packet = hear_packet(fd)) {
    if (packet.find("slow") != std::string::npos) return stay(fd);
    say(fd, answer_to(packet));
  }
}

TEST_CASE("a source that takes too long fails, others do not") {
  RunningClient client(actor(serve_until_slow), std::chrono::milliseconds(1000));
  CHECK(test::code_of(client.compile("quick at first")) == "let x = 1;");
  auto slow = client.start("slow");
  std::vector<std::future<Outcome>> quick;
  for (int i = 0; i < 10; ++i) quick.push_back(client.start(test::program(i)));
  for (auto& outcome : quick) CHECK(test::code_of(test::get(std::move(outcome))) == "let x = 1;");
  const Outcome failed = test::get(std::move(slow));
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == CompileFailure::Kind::kResources);
  CHECK(failed.error().message.find("in time") != std::string::npos);
}

TEST_CASE("what a service says too often, or too early, reaches nobody") {
  struct Way {
    const char* name;
    std::function<void(int)> part;
  };
  const auto way = GENERATE(values<Way>({
      {"each answer twice",
       [](int fd) {
         for (std::string packet = hear_packet(fd); !packet.empty(); packet = hear_packet(fd)) {
           if (!say(fd, answer_to(packet) + answer_to(packet))) return;
         }
       }},
      {"one answer without end",
       [](int fd) {
         const std::string packet = hear_packet(fd);
         while (!packet.empty() && say(fd, answer_to(packet))) {
         }
       }},
      {"answers before the requests",
       [](int fd) {
         for (std::uint32_t id = 0; id < 100; ++id) {
           if (!say(fd, answer_to(u32(id << 1)))) return;
         }
         stay(fd);
       }},
  }));
  INFO(way.name);
  RunningClient client(actor([&](int fd) {
                         say(fd, kVersion);
                         way.part(fd);
                       }),
                       std::chrono::milliseconds(1000));
  // Each is answered once: with its own answer, or with the reason why there is none.
  auto outcomes = client.start_all(std::vector<std::string>(10, "let x: number = 1"));
  for (auto& outcome : outcomes) {
    const Outcome answered = test::get(std::move(outcome));
    if (answered) {
      CHECK(answered->code == "let x = 1;");
    } else {
      CHECK(answered.error().kind == CompileFailure::Kind::kResources);
      CHECK(answered.error().message.find("compiler") != std::string::npos);
    }
  }
}

TEST_CASE("after a bad service a good one serves") {
  test::DirectLauncher direct;
  std::atomic<int> starts = 0;
  RunningClient client([&] {
    if (starts++ > 0) return direct.launcher()();
    return act([](int fd) {
      say(fd, kVersion);
      if (hear(fd)) say(fd, std::string(1000, '\xff'));
    });
  });
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 20; ++i) outcomes.push_back(client.start(test::program(i)));
  for (int i = 0; i < 20; ++i) {
    test::check_program(test::get(std::move(outcomes.at(static_cast<std::size_t>(i)))), i);
  }
}

}  // namespace
}  // namespace cordon
