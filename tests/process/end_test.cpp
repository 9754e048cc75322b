// However a command ends, nothing of it is left; and what happens where there is no sandbox.

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>
#include <future>

#include "tests/process/sandboxed.h"
#include "tests/system/processes.h"

using namespace cordon;
using namespace cordon::test;
using Catch::Matchers::Contains;

namespace {

// While it lives, what bubblewrap leaves behind becomes this process's child.
struct Heir {
  Heir() { REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0); }
  ~Heir() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

// Forty times, each somewhat later into the building of the sandbox.
void start_and_interrupt(const std::function<void(Sandboxed&)>& interrupt) {
  for (int pause = 0; pause < 40; ++pause) {
    Sandboxed commands({"/bin/sh"});
    std::promise<SpawnedCommand> promise;
    auto future = promise.get_future();
    commands.start("/bin/sh", {"-c", ":"},
                   [&](SpawnedCommand ended) { promise.set_value(std::move(ended)); });
    for (int turn = 0; turn < 25 * pause; ++turn) ::sched_yield();
    interrupt(commands);
    future.get();
  }
}

}  // namespace

TEST_CASE("a daemon is gone when its command has ended") {
  if (!can_run()) return;
  const SpawnedCommand ended =
      Sandboxed({kTestee}).run(kTestee, {"daemon", "cordon-daemon-marker"});
  REQUIRE(ended.result.has_value());
  CHECK(ended.result->code == 0);
  CHECK(no_process_with("cordon-daemon-marker"));
}

TEST_CASE("a child that keeps the output open does not hold up the result") {
  if (!can_run()) return;
  const SpawnedCommand ended =
      Sandboxed({kTestee}).run(kTestee, {"leave_child", "cordon-child-marker"});
  REQUIRE(ended.result.has_value());
  CHECK(ended.result->out == "main is done\n");
  CHECK(no_process_with("cordon-child-marker"));
}

TEST_CASE("closing a session ends what runs, and what starts later") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  std::promise<SpawnedCommand> promise;
  auto future = promise.get_future();
  commands.start("/bin/sh", {"-c", "while :; do :; done", "cordon-close-marker"},
                 [&](SpawnedCommand ended) { promise.set_value(std::move(ended)); });
  commands.close();
  CHECK(refusal_of(future.get()) == "error: Subprocess /bin/sh cancelled: the call is over");
  CHECK(no_process_with("cordon-close-marker"));
  CHECK_THAT(refusal_of(commands.run("/bin/sh", {"-c", ":"})), Contains("cancelled"));
}

TEST_CASE("a command that is stopped while its sandbox is being built leaves no process") {
  if (!can_run()) return;
  const Heir heir;
  start_and_interrupt([](Sandboxed& commands) { commands.close(); });
  CHECK(children().empty());
}

TEST_CASE("bubblewrap that is killed at any moment leaves no process") {
  if (!can_run()) return;
  const Heir heir;
  start_and_interrupt([](Sandboxed&) {
    for (const pid_t bubblewrap : children()) ::kill(bubblewrap, SIGKILL);
  });
  while (::waitpid(-1, nullptr, 0) > 0) {  // ends when the last one that was left has died
  }
  CHECK(errno == ECHILD);
}

TEST_CASE("commands leave no child, descriptor or control group behind") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  commands.run("/bin/sh", {"-c", ":"});
  const auto descriptors = count_descriptors();
  for (int i = 0; i < 10; ++i) commands.run("/bin/sh", {"-c", "exit 1"});
  CHECK(count_descriptors() == descriptors);
  CHECK(children().empty());
}

TEST_CASE("many commands at once get their own output") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/echo"});
  std::vector<std::promise<SpawnedCommand>> promises(12);
  for (std::size_t i = 0; i < promises.size(); ++i) {
    commands.start("/bin/echo", {std::to_string(i)}, [&promises, i](SpawnedCommand ended) {
      promises[i].set_value(std::move(ended));
    });
  }
  for (std::size_t i = 0; i < promises.size(); ++i) {
    const SpawnedCommand ended = promises[i].get_future().get();
    INFO(refusal_of(ended));
    REQUIRE(ended.result.has_value());
    CHECK(ended.result->out == std::to_string(i) + "\n");
  }
}

TEST_CASE("a killed host leaves no process") {
  if (!can_run()) return;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t host = ::fork();
  REQUIRE(host >= 0);
  if (host == 0) {
    Sandboxed commands({"/bin/sh"});
    commands.start("/bin/sh",
                   {"-c", "trap '' TERM HUP; while :; do :; done", "cordon-orphan-marker"},
                   [](SpawnedCommand) {});
    const bool runs = wait_for_process_with("cordon-orphan-marker");
    if (runs && ::write(ends[1], "r", 1) == 1) ::pause();
    ::_exit(1);
  }
  ::close(ends[1]);
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 1);
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  ::close(ends[0]);
  CHECK(no_process_with("cordon-orphan-marker"));
}

TEST_CASE("without bubblewrap or the launcher every command is refused, before anything runs") {
  for (const auto& service :
       {CommandServiceOptions{.launcher = CORDON_LAUNCH, .bubblewrap = "/no/such/bwrap"},
        CommandServiceOptions{.launcher = "/no/such/cordon-launch"},
        CommandServiceOptions{.launcher = CORDON_LAUNCH, .bubblewrap = "/bin/false"}}) {
    TemporaryDirectory tree;
    Sandboxed commands({"/bin/sh"}, service);
    const SpawnedCommand ended = commands.run("/bin/sh", {"-c", "echo ran"});
    CHECK_THAT(refusal_of(ended), Contains("subprocess: Subprocess /bin/sh refused") &&
                                      Contains("strict sandbox") && Contains("install"));
    CHECK(ended.report == nullptr);
  }
}
