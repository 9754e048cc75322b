// Children share the zygote's address layout: after one that died as if somebody had searched for
// it, after a number of forks, and when it does not answer, another zygote takes over, and no call
// notices.

#include <catch2/catch.hpp>

#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "tests/system/killer.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using namespace std::chrono_literals;
using test::World;

namespace {

constexpr const char* kOne = "export default () => 1;";
constexpr const char* kLoop = "export default () => { while (true) {} };";

// Bounded. False: it still is the old one.
bool wait_for_another_zygote(pid_t old) {
  for (const auto until = std::chrono::steady_clock::now() + 60s;
       std::chrono::steady_clock::now() < until;) {
    const pid_t now = test::zygote();
    if (now > 0 && now != old) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

// A call whose child dies of `signal`, seen from outside.
Outcome crash(World& world, int signal) {
  AISandboxOptions options;
  options.resources.wall_clock_ms = 120'000;
  AISandbox sandbox(world.runtime, kLoop, options);
  auto outcome = sandbox.call_async();
  const pid_t child = test::wait_for_busy_child();
  REQUIRE(child > 0);
  REQUIRE(::kill(child, signal) == 0);
  return outcome.get();
}

}  // namespace

TEST_CASE("a child's fatal signal replaces the zygote") {
  World world(RuntimeOptions{.spare_children = 0});
  REQUIRE(world.run(kOne).status == Status::kOk);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGSYS}) {
    INFO("signal " << signal);
    const pid_t zygote = test::zygote();
    REQUIRE(zygote > 0);
    const Outcome outcome = crash(world, signal);
    CHECK(outcome.status == Status::kCrashed);
    // Some signals of another process end the child as a fault (engine/crash_report.cpp).
    CHECK((outcome.signal == signal || outcome.signal == SIGSEGV));
    CHECK(world.run(kOne).status == Status::kOk);
    CHECK(wait_for_another_zygote(zygote));
  }
}

TEST_CASE("a child's death by anything else leaves the zygote alone") {
  World world(RuntimeOptions{.spare_children = 0});
  REQUIRE(world.run(kOne).status == Status::kOk);
  const pid_t zygote = test::zygote();
  for (const int signal : {SIGKILL, SIGTERM}) {
    INFO("signal " << signal);
    CHECK(crash(world, signal).status == Status::kCrashed);
    CHECK(world.run(kOne).status == Status::kOk);
    CHECK(test::zygote() == zygote);
  }
}

TEST_CASE("a stopped zygote is replaced: calls start, and those that run go on") {
  World world(RuntimeOptions{.spare_children = 0});
  AISandboxOptions options;
  options.resources.wall_clock_ms = 120'000;
  REQUIRE(world.run(kOne, options).status == Status::kOk);
  const pid_t zygote = test::zygote();
  REQUIRE(zygote > 0);
  AISandbox looping(world.runtime, kLoop, options);
  auto running = looping.call_async();
  const pid_t child = test::wait_for_busy_child();
  REQUIRE(child > 0);
  REQUIRE(::kill(zygote, SIGSTOP) == 0);
  REQUIRE(::waitpid(zygote, nullptr, WUNTRACED | __WALL) == zygote);
  for (int i = 0; i < 3; ++i) REQUIRE(world.run(kOne, options).status == Status::kOk);
  CHECK(wait_for_another_zygote(zygote));
  CHECK(test::is_living_child(child));
  REQUIRE(::kill(child, SIGKILL) == 0);
  CHECK(running.get().status == Status::kCrashed);
  CHECK(test::wait_until_gone({zygote}));  // reaped with its last child
}

TEST_CASE("max_forks_per_engine is kept, and no call is lost over it") {
  World world(RuntimeOptions{.spare_children = 1, .max_forks_per_engine = 4});
  REQUIRE(world.run(kOne).status == Status::kOk);
  for (int replaced = 0; replaced < 3; ++replaced) {
    const pid_t zygote = test::zygote();
    REQUIRE(zygote > 0);
    for (int i = 0; i < 6; ++i) CHECK(world.run(kOne).status == Status::kOk);
    CHECK(wait_for_another_zygote(zygote));
  }
}
