// However a command ends, nothing of it is left; and what happens where there is no sandbox.

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <utility>

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

// Kills a host once its command has so many processes, which have `marker` in their command lines.
void kill_host(
    const std::function<void(Sandboxed&)>& start, const std::string& marker, std::size_t processes,
    const std::function<void(pid_t)>& before = [](pid_t) {}) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t host = ::fork();
  REQUIRE(host >= 0);
  if (host == 0) {
    Sandboxed commands({"/bin/sh", kTestee});
    start(commands);
    const bool runs = wait_for_process_with(marker, processes);
    if (runs && ::write(ends[1], "r", 1) == 1) ::pause();
    ::_exit(1);
  }
  ::close(ends[1]);
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 1);
  before(host);
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  ::close(ends[0]);
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

namespace {

// What came of a command whose bubblewrap has been stopped. Without a bound it might never come.
SpawnedCommand get_in_time(std::future<SpawnedCommand>& future, pid_t bubblewrap) {
  CHECK(future.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
  ::kill(bubblewrap, SIGCONT);
  return future.get();
}

}  // namespace

TEST_CASE("a stopped bubblewrap ends with its command, however that ends") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  commands.options.resources.max_process_output_bytes = 4096;
  std::promise<SpawnedCommand> promise;
  auto future = promise.get_future();
  commands.start("/bin/sh",
                 {"-c", "trap 'while :; do echo more; done' USR1; while :; do :; done",
                  "cordon-stopped-marker"},
                 [&](SpawnedCommand ended) { promise.set_value(std::move(ended)); });
  REQUIRE(wait_for_process_with("cordon-stopped-marker"));
  REQUIRE(children().size() == 1);
  const pid_t bubblewrap = children().front();
  REQUIRE(children(bubblewrap).size() == 1);
  const pid_t launcher = children(bubblewrap).front();
  const pid_t command = wait_for_busy_child(launcher);
  REQUIRE(command > 0);
  REQUIRE(::kill(bubblewrap, SIGSTOP) == 0);
  REQUIRE(::waitpid(bubblewrap, nullptr, WUNTRACED) == bubblewrap);
  SECTION("by itself") {
    REQUIRE(::kill(command, SIGKILL) == 0);
    const SpawnedCommand ended = get_in_time(future, bubblewrap);
    REQUIRE(ended.result.has_value());
    CHECK(ended.result->signal == SIGKILL);
  }
  SECTION("at a limit") {
    REQUIRE(::kill(command, SIGUSR1) == 0);
    CHECK_THAT(refusal_of(get_in_time(future, bubblewrap)), Contains("4096 bytes"));
  }
  SECTION("with its call") {
    commands.close();
    CHECK_THAT(refusal_of(get_in_time(future, bubblewrap)), Contains("cancelled"));
  }
  SECTION("with its launcher") {
    REQUIRE(::kill(launcher, SIGKILL) == 0);
    CHECK_FALSE(get_in_time(future, bubblewrap).result.has_value());
  }
  CHECK(children().empty());
  CHECK(no_process_with("cordon-stopped-marker"));
}

TEST_CASE("bubblewrap that does not go on is killed in time") {
  if (!can_run()) return;
  const Heir heir;
  Sandboxed commands({"/bin/sh"});
  std::promise<SpawnedCommand> promise;
  auto future = promise.get_future();
  commands.start("/bin/sh", {"-c", "while :; do :; done", "cordon-held-marker"},
                 [&](SpawnedCommand ended) { promise.set_value(std::move(ended)); });
  REQUIRE(wait_for_process_with("cordon-held-marker"));
  REQUIRE(children().size() == 1);
  const pid_t bubblewrap = children().front();
  if (::ptrace(PTRACE_SEIZE, bubblewrap, nullptr, nullptr) != 0) {
    WARN("skipped: nothing can be traced here");
    return;
  }
  REQUIRE(::ptrace(PTRACE_INTERRUPT, bubblewrap, nullptr, nullptr) == 0);
  REQUIRE(::waitpid(bubblewrap, nullptr, __WALL) == bubblewrap);  // it stands still
  commands.close();
  const bool ends = future.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  CHECK(ends);
  if (!ends) ::kill(bubblewrap, SIGKILL);
  CHECK_THAT(refusal_of(future.get()), Contains("cancelled"));
  while (::waitpid(-1, nullptr, 0) > 0) {  // the launcher, which nobody but bubblewrap knew
  }
  CHECK(errno == ECHILD);
  CHECK(no_process_with("cordon-held-marker"));
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
  const auto start = [](Sandboxed& commands) {
    commands.start("/bin/sh",
                   {"-c", "trap '' TERM HUP; while :; do :; done", "cordon-orphan-marker"},
                   [](const SpawnedCommand&) {});
  };
  kill_host(start, "cordon-orphan-marker", 1);
  CHECK(no_process_with("cordon-orphan-marker"));
}

namespace {

// Plenty for a busy machine, and much less than processes take that die as fast as their share of
// the CPU lets them.
constexpr std::chrono::seconds kTimeToDie{10};

bool can_limit_cpu() {
  if (!can_run()) return false;
  Sandboxed here({kTestee});
  if (here.host().control_groups.mechanism(ControlGroups::Controller::kCpu)) return true;
  WARN("skipped: no cpu control group here");
  return false;
}

std::chrono::steady_clock::duration time_of(const std::function<void()>& work) {
  const auto started = std::chrono::steady_clock::now();
  work();
  return std::chrono::steady_clock::now() - started;
}

// 64 processes, with a share of the CPU that can be made smaller.
void spin_everywhere(Sandboxed& commands, const std::string& marker, CommandSession::OnEnd on_end) {
  commands.sandbox().resources.cpu = 1;
  commands.start(kTestee, {"spin_everywhere", "", marker}, std::move(on_end));
}

// Leaves a host's commands a thousandth of a CPU.
void starve_commands_of(pid_t host) {
  for (const std::string& group : control_groups(host)) {
    // Whichever there is.
    std::fstream(group + "/cpu.cfs_period_us") << 1'000'000;
    std::fstream(group + "/cpu.cfs_quota_us") << 1'000;
    std::fstream(group + "/cpu.max") << "1000 1000000";
  }
}

}  // namespace

TEST_CASE("a stopped command dies at once, whatever its share of the CPU") {
  if (!can_limit_cpu()) return;
  Sandboxed commands({kTestee});
  std::promise<SpawnedCommand> promise;
  auto future = promise.get_future();
  spin_everywhere(commands, "cordon-starved-command",
                  [&](SpawnedCommand ended) { promise.set_value(std::move(ended)); });
  REQUIRE(wait_for_process_with("cordon-starved-command", 64));
  starve_commands_of(::getpid());
  const auto took = time_of([&] {
    commands.close();
    CHECK_THAT(refusal_of(future.get()), Contains("cancelled"));
  });
  CHECK(took < kTimeToDie);
  CHECK(no_process_with("cordon-starved-command"));
}

TEST_CASE("a killed host leaves no process, whatever their share of the CPU") {
  if (!can_limit_cpu()) return;
  const auto start = [](Sandboxed& commands) {
    spin_everywhere(commands, "cordon-starved-orphan", [](const SpawnedCommand&) {});
  };
  kill_host(start, "cordon-starved-orphan", 64, starve_commands_of);
  const auto took = time_of([] { CHECK(no_process_with("cordon-starved-orphan")); });
  CHECK(took < kTimeToDie);
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
