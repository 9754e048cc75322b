// The client through its zygote's life: forks, deaths, replacement, the host's end.

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/asio/post.hpp>
#include <catch2/catch.hpp>

#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <sstream>
#include <vector>

#include "messages/exit_codes.h"
#include "tests/engine/harness.h"

using namespace cordon;
using namespace cordon::test;

namespace {

using Child = Result<ChildProcess, StartFailure>;

std::unique_ptr<ZygoteClient> start(IoThread& io, const ZygoteOptions& options = probe_options()) {
  auto client = ZygoteClient::start(io.io, options);
  if (!client) FAIL(client.error().mechanism + ": " + client.error().message);
  return std::move(*client);
}

std::future<Child> fork_later(ZygoteClient& client) {
  auto promise = std::make_shared<std::promise<Child>>();
  auto future = promise->get_future();
  client.fork([promise](Child child) { promise->set_value(std::move(child)); });
  return future;
}

ProcessEnd end(ChildProcess child) {
  send_signal(child.pidfd.get(), SIGKILL);
  return reap(child.pidfd.get());
}

// The zygote is a child of this process. It stands still when this returns.
void stop_zygote(pid_t zygote) {
  REQUIRE(::kill(zygote, SIGSTOP) == 0);
  REQUIRE(::waitpid(zygote, nullptr, WUNTRACED | __WALL) == zygote);
}

// The host's children, zombies included.
std::vector<pid_t> children() {
  std::vector<pid_t> pids;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t pid = 0; list >> pid;) pids.push_back(pid);
  }
  return pids;
}

// The zygote: the child of this process that shares `child`'s PID namespace and is not its init.
pid_t zygote_of(const ChildProcess& child) {
  for (const pid_t pid : children()) {
    if (pid != child.pid && proc_line(pid, "comm", "") == "cordon-engine") return pid;
  }
  return -1;
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator list("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(list), std::filesystem::end(list)));
}

}  // namespace

TEST_CASE("a stopped client leaves no process and no descriptor") {
  const std::size_t before = open_descriptors();
  {
    IoThread io;
    auto client = start(io);
    for (int i = 0; i < 5; ++i) end(fork_child(*client));
    CHECK_FALSE(children().empty());
    io.stop();
    client.reset();
    CHECK(children().empty());
  }
  CHECK(open_descriptors() == before);
}

TEST_CASE("many forks at once are each answered") {
  IoThread io;
  const auto client = start(io);
  std::vector<std::future<Child>> forks;
  for (int i = 0; i < 300; ++i) forks.push_back(fork_later(*client));
  std::set<pid_t> pids;
  for (auto& fork : forks) {
    Child child = fork.get();
    REQUIRE(child.has_value());
    pids.insert(child->pid);
    end(std::move(*child));
  }
  CHECK(pids.size() == 300);
  io.stop();
}

TEST_CASE("forks survive the zygote's death") {
  IoThread io;
  auto client = start(io);
  ChildProcess survivor = fork_child(*client);
  const pid_t zygote = zygote_of(survivor);
  REQUIRE(zygote > 0);
  std::vector<std::future<Child>> forks;
  for (int i = 0; i < 50; ++i) forks.push_back(fork_later(*client));
  REQUIRE(::kill(zygote, SIGKILL) == 0);
  for (int i = 0; i < 50; ++i) forks.push_back(fork_later(*client));
  std::uint64_t newest = 0;
  for (auto& fork : forks) {
    Child child = fork.get();
    REQUIRE(child.has_value());
    newest = std::max(newest, child->zygote);
    CHECK(run_probe(std::move(*child), "nothing").text == "ok");
  }
  CHECK(newest == survivor.zygote + 1);
  // A child does not die with its zygote.
  CHECK(run_probe(std::move(survivor), "nothing").text == "ok");
  io.stop();
  client.reset();
  CHECK(children().empty());
}

TEST_CASE("forks survive a stopped zygote, which is killed while its children live on") {
  IoThread io;
  ZygoteOptions options = probe_options();
  options.patience = std::chrono::seconds(2);
  auto client = start(io, options);
  ChildProcess survivor = fork_child(*client);
  const pid_t zygote = zygote_of(survivor);
  REQUIRE(zygote > 0);
  const UniqueFd stopped(static_cast<int>(::syscall(SYS_pidfd_open, zygote, 0)));
  stop_zygote(zygote);
  std::vector<std::future<Child>> forks;
  for (int i = 0; i < 100; ++i) forks.push_back(fork_later(*client));
  for (auto& fork : forks) {
    Child child = fork.get();
    REQUIRE(child.has_value());
    CHECK(child->zygote > survivor.zygote);
    CHECK(run_probe(std::move(*child), "nothing").text == "ok");
  }
  CHECK(ends(stopped.get()));
  CHECK(run_probe(std::move(survivor), "nothing").text == "ok");
  io.stop();
  client.reset();
  CHECK(children().empty());
}

TEST_CASE("a zygote that goes on in time is kept") {
  IoThread io;
  ZygoteOptions options = probe_options();
  options.patience = std::chrono::minutes(2);
  auto client = start(io, options);
  ChildProcess first = fork_child(*client);
  const pid_t zygote = zygote_of(first);
  REQUIRE(zygote > 0);
  stop_zygote(zygote);
  auto fork = fork_later(*client);
  REQUIRE(::kill(zygote, SIGCONT) == 0);
  Child second = fork.get();
  REQUIRE(second.has_value());
  CHECK(second->zygote == first.zygote);
  CHECK(run_probe(std::move(*second), "nothing").text == "ok");
  CHECK(run_probe(std::move(first), "nothing").text == "ok");
  io.stop();
}

TEST_CASE("a zygote that is never without an order, but answers, is kept") {
  IoThread io;
  ZygoteOptions options = probe_options();
  options.patience = std::chrono::seconds(3);
  options.max_forks = 1'000'000;
  const auto client = start(io, options);
  std::deque<std::future<Child>> forks;
  for (const auto until = std::chrono::steady_clock::now() + 2 * options.patience;
       std::chrono::steady_clock::now() < until;) {
    while (forks.size() < 8) forks.push_back(fork_later(*client));
    Child child = forks.front().get();
    forks.pop_front();
    REQUIRE(child.has_value());
    REQUIRE(child->zygote == 1);
    end(std::move(*child));
  }
  for (auto& fork : forks) {
    Child child = fork.get();
    if (child) end(std::move(*child));
  }
  io.stop();
}

TEST_CASE("a retired zygote is replaced and its children live on") {
  IoThread io;
  auto client = start(io);
  ChildProcess old = fork_child(*client);
  client->retire(old.zygote);
  ChildProcess young = fork_child(*client);
  CHECK(young.zygote == old.zygote + 1);
  client->retire(old.zygote);  // a second report changes nothing
  ChildProcess another = fork_child(*client);
  CHECK(another.zygote == young.zygote);
  CHECK(run_probe(std::move(old), "nothing").text == "ok");
  CHECK(run_probe(std::move(young), "nothing").text == "ok");
  CHECK(run_probe(std::move(another), "nothing").text == "ok");
  io.stop();
  client.reset();
  CHECK(children().empty());
}

TEST_CASE("a zygote is replaced after its number of forks, without a call lost") {
  IoThread io;
  ZygoteOptions options = probe_options();
  options.max_forks = 10;
  auto client = start(io, options);
  // The old one serves until the new one is ready, however long that takes.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::uint64_t generation = 1;
  while (generation < 4 && std::chrono::steady_clock::now() < deadline) {
    ChildProcess child = fork_child(*client);
    CHECK(child.zygote >= generation);
    generation = child.zygote;
    CHECK(run_probe(std::move(child), "nothing").text == "ok");
  }
  CHECK(generation == 4);
  io.stop();
  client.reset();
  CHECK(children().empty());
}

TEST_CASE("children of every generation end with their lease, known to the host or not") {
  IoThread io;
  auto client = start(io);
  ChildProcess child = fork_child(*client);
  client->retire(child.zygote);
  end(fork_child(*client));
  UniqueFd pidfd = std::move(child.pidfd);
  CHECK_FALSE(try_reap(pidfd.get()).has_value());
  child = {};  // the lease goes with it
  CHECK(ends(pidfd.get()));
  io.stop();
}

TEST_CASE("destruction answers what is waiting") {
  IoThread io;
  auto client = start(io);
  const pid_t zygote = [&] {
    ChildProcess child = fork_child(*client);
    const pid_t pid = zygote_of(child);
    end(std::move(child));
    return pid;
  }();
  REQUIRE(::kill(zygote, SIGSTOP) == 0);
  auto fork = fork_later(*client);
  // Once this has run, the order is out.
  std::promise<void> sent;
  boost::asio::post(io.io, [&] { sent.set_value(); });
  sent.get_future().get();
  io.stop();
  client.reset();
  const Child answer = fork.get();
  REQUIRE(answer.has_error());
  CHECK(answer.error().mechanism == "zygote");
  CHECK(children().empty());
}

TEST_CASE("a host that ignores SIGCHLD still learns how its children end") {
  ::signal(SIGCHLD, SIG_IGN);
  IoThread io;
  auto client = start(io);
  ChildProcess child = fork_child(*client);
  const ProbeResult crashed = run_probe(fork_child(*client), "crash");
  const ProcessEnd killed = end(std::move(child));
  const ProbeResult done = run_probe(fork_child(*client), "nothing");
  if (!crashed.end.known) {
    WARN("skipped: this kernel keeps no status of a process that it reaped by itself");
  } else {
    CHECK(crashed.end.signal == SIGSEGV);
    CHECK(killed.signal == SIGKILL);
    CHECK(done.end.code == kExitDone);
  }
  io.stop();
  client.reset();
  ::signal(SIGCHLD, SIG_DFL);
  CHECK(children().empty());
}

TEST_CASE("nothing outlives a killed host") {
  // The host prints its pids, then waits.
  const bool with_fork = GENERATE(false, true);
  INFO("a forked process of the host still holds the lifeline: " << with_fork);
  int pipes[2][2];
  REQUIRE(::pipe2(pipes[0], O_CLOEXEC) == 0);
  REQUIRE(::pipe2(pipes[1], O_CLOEXEC) == 0);
  const UniqueFd output(pipes[0][0]);
  UniqueFd output_end(pipes[0][1]);
  const UniqueFd input_end(pipes[1][0]);
  const UniqueFd input(pipes[1][1]);  // closed at the end of the test
  const pid_t host = ::fork();
  REQUIRE(host >= 0);
  if (host == 0) {
    ::dup2(input_end.get(), STDIN_FILENO);
    ::dup2(output_end.get(), STDOUT_FILENO);
    ::execl(CORDON_DOOMED_HOST, "doomed_host", CORDON_PROBE_ENGINE, with_fork ? "fork" : "",
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  output_end.reset();
  std::string line;
  for (char byte = 0; ::read(output.get(), &byte, 1) == 1 && byte != '\n';) line += byte;
  std::istringstream pids(line);
  std::vector<UniqueFd> processes;
  for (pid_t pid = 0; pids >> pid;) {
    processes.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    REQUIRE(processes.back().get() >= 0);
  }
  CHECK(processes.size() == 6);  // init, zygote, four children
  REQUIRE(::kill(host, SIGKILL) == 0);
  for (const UniqueFd& process : processes) CHECK(ends(process.get()));
  REQUIRE(::waitpid(host, nullptr, 0) == host);
}
