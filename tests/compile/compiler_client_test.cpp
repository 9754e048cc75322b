// The client with a compiler that works, is killed, or stops.

#include "actors/compile/compiler_client.h"

#include <catch2/catch.hpp>

#include <signal.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/compile/direct_launcher.h"
#include "tests/compile/running_client.h"

namespace cordon {
namespace {

using test::check_program;
using test::DirectLauncher;
using test::Outcome;
using test::program;
using test::RunningClient;

TEST_CASE("a module is compiled with its map") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  const Outcome outcome = client.compile("\n\nexport let a: number = f();\n");
  CHECK(test::code_of(outcome).starts_with("let a = f();"));
  REQUIRE(outcome->map);
  const auto found = outcome->map->original({1, 9});
  REQUIRE(found);
  CHECK(found->line == 3);
  CHECK(found->column == 24);
}

TEST_CASE("a program that comes again is not compiled again") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  const Outcome first = client.compile(program(1));
  check_program(first, 1);
  // Nobody is there to compile.
  REQUIRE(::kill(direct.started().front(), SIGSTOP) == 0);
  const Outcome second = client.compile(program(1));
  check_program(second, 1);
  CHECK(second->map == first->map);
  auto other = client.start(program(2));
  CHECK(other.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout);
  REQUIRE(::kill(direct.started().front(), SIGCONT) == 0);
  check_program(test::get(std::move(other)), 2);
}

TEST_CASE("many requests at once get their own answers from one service") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 300; ++i) outcomes.push_back(client.start(program(i)));
  for (int i = 0; i < 300; ++i)
    check_program(test::get(std::move(outcomes[static_cast<std::size_t>(i)])), i);
  CHECK(direct.started().size() == 1);
}

TEST_CASE("requests come from several threads") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&client, &right, t] {
      for (int i = 1; i <= 25; ++i) {
        const int number = t * 1000 + i;
        auto outcome = client.start(program(number)).get();
        if (outcome && outcome->code.find("number " + std::to_string(number)) != std::string::npos)
          ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 100);
}

TEST_CASE("a killed service costs no request its answer") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  check_program(client.compile(program(7)), 7);
  REQUIRE(direct.started().size() == 1);

  // Stopped first, so that all fifty are in flight when it dies.
  const pid_t service = direct.started().front();
  REQUIRE(::kill(service, SIGSTOP) == 0);
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 50; ++i) outcomes.push_back(client.start(program(i)));
  REQUIRE(::kill(service, SIGKILL) == 0);
  for (int i = 0; i < 50; ++i)
    check_program(test::get(std::move(outcomes[static_cast<std::size_t>(i)])), i);
  check_program(client.compile(program(99)), 99);
}

TEST_CASE("a service that stops answering is replaced") {
  DirectLauncher direct;
  RunningClient client(direct.launcher(), std::chrono::milliseconds(500));
  check_program(client.compile(program(1)), 1);
  REQUIRE(::kill(direct.started().front(), SIGSTOP) == 0);
  auto stalled = client.start(program(2));
  auto beside = client.start("let x: = 1");
  check_program(test::get(std::move(stalled)), 2);
  CHECK(test::get(std::move(beside)).error().kind == CompileFailure::Kind::kSyntax);
}

TEST_CASE("shutdown answers what is open") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  check_program(client.compile(program(1)), 1);
  REQUIRE(::kill(direct.started().front(), SIGSTOP) == 0);
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 100; i < 200; ++i) outcomes.push_back(client.start(program(i)));
  client.stop();
  for (auto& outcome : outcomes) {
    const Outcome answered = test::get(std::move(outcome));
    REQUIRE_FALSE(answered.has_value());
    CHECK(answered.error().kind == CompileFailure::Kind::kUnavailable);
  }
}

TEST_CASE("no process is left after shutdown") {
  DirectLauncher direct;
  {
    RunningClient client(direct.launcher());
    check_program(client.compile(program(1)), 1);
  }
  for (const pid_t pid : direct.started()) CHECK(::kill(pid, 0) != 0);
}

TEST_CASE("a client may be ended from its own callback") {
  DirectLauncher direct;
  boost::asio::io_context io;
  CompilerOptions options;
  auto started = CompilerClient::start(io, options, {direct.launcher()});
  REQUIRE(started.has_value());
  std::unique_ptr<CompilerClient> client = *std::move(started);
  int answers = 0;
  client->compile({program(1)}, [&](const Outcome&) {
    ++answers;
    client.reset();
  });
  client->compile({program(2)}, [&](const Outcome&) { ++answers; });
  io.run_for(std::chrono::seconds(60));
  CHECK(client == nullptr);
  CHECK(answers == 2);
}

TEST_CASE("requests that arrive with the one whose answer ends the client are answered") {
  DirectLauncher direct;
  boost::asio::io_context io;
  auto started = CompilerClient::start(io, {}, {direct.launcher()});
  REQUIRE(started.has_value());
  std::unique_ptr<CompilerClient> client = *std::move(started);
  bool known = false;
  client->compile({program(1)}, [&](const Outcome&) {
    known = true;
    io.stop();
  });
  io.run_for(std::chrono::seconds(60));
  REQUIRE(known);
  io.restart();
  // The first is answered at once, from memory, while the second waits behind it.
  int answers = 0;
  client->compile({program(1)}, [&](const Outcome&) {
    ++answers;
    client.reset();
  });
  client->compile({program(2)}, [&](const Outcome& outcome) {
    ++answers;
    CHECK_FALSE(outcome.has_value());
  });
  io.run_for(std::chrono::seconds(60));
  CHECK(answers == 2);
}

TEST_CASE("large maps are read beside the I/O thread, and answered") {
  DirectLauncher direct;
  RunningClient client(direct.launcher());
  std::string source;
  for (int i = 0; i < 5000; ++i) source += "f(" + std::to_string(i) + ", a.b.c);\n";
  source += "mark();\n";
  const Outcome outcome = client.compile(source);
  CHECK(test::code_of(outcome).ends_with("mark();\n"));
  REQUIRE(outcome->map != nullptr);
  const auto found = outcome->map->original({5001, 1});
  REQUIRE(found.has_value());
  CHECK(found->line == 5001);
}

TEST_CASE("a service that cannot be started is reported at the start") {
  boost::asio::io_context io;
  const auto started =
      CompilerClient::start(io, {}, {[] {
                              return Result<LaunchedService, StartFailure>(
                                  StartFailure{"user namespace", "not permitted", "allow it"});
                            }});
  REQUIRE_FALSE(started.has_value());
  CHECK(started.error().mechanism == "user namespace");
}

TEST_CASE("when no service can be had any more requests fail with the reason") {
  DirectLauncher direct;
  std::atomic<bool> broken = false;
  const ServiceLauncher real = direct.launcher();
  RunningClient client([&]() -> Result<LaunchedService, StartFailure> {
    if (broken) return StartFailure{"landlock", "switched off", "switch it on"};
    return real();
  });
  check_program(client.compile(program(1)), 1);
  broken = true;
  REQUIRE(::kill(direct.started().front(), SIGKILL) == 0);
  // The first may still be with the dying service.
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = client.compile(program(2));
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().kind == CompileFailure::Kind::kUnavailable);
    CHECK(outcome.error().message ==
          "This host cannot enforce the sandbox: landlock: switched off. switch it on");
  }
  broken = false;
  // Whoever asks makes it try again; the one who asks may be answered before that has worked.
  Outcome outcome = client.compile(program(3));
  if (!outcome) outcome = client.compile(program(3));
  check_program(outcome, 3);
}

}  // namespace
}  // namespace cordon
