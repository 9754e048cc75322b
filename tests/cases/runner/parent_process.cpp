#include "tests/cases/runner/parent_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

namespace cordon::cases {

namespace {

// Out of the way of the descriptor numbers that cases ask for.
UniqueFd lifted(UniqueFd fd) {
  constexpr int kLowest = 200;
  UniqueFd high(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kLowest));
  if (!high) throw std::runtime_error("cannot open what the parent is to have open");
  return high;
}

UniqueFd file_with(const std::string& text) {
  UniqueFd file(::memfd_create("case", MFD_CLOEXEC));
  if (::pwrite(file.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("memfd");
  return lifted(std::move(file));
}

// A pipe that holds `text` and has no writer.
UniqueFd pipe_with(const std::string& text) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  UniqueFd read_end(ends[0]), write_end(ends[1]);
  if (::write(write_end.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("standard input is too long for a pipe");
  return lifted(std::move(read_end));
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!added.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : added) all.push_back(name + "=" + value);
  return all;
}

// File actions and attributes, freed at the end.
struct SpawnPlan {
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  void give(const UniqueFd& fd, int as) {
    posix_spawn_file_actions_adddup2(&actions, fd.get(), as);
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// Makes standard input a terminal, and that terminal the controlling one; returns its other end.
UniqueFd give_terminal(SpawnPlan& plan, const std::string& typed) {
  UniqueFd controller(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  char name[64];
  if (::grantpt(controller.get()) != 0 || ::unlockpt(controller.get()) != 0 ||
      ::ptsname_r(controller.get(), name, sizeof name) != 0)
    throw std::runtime_error("no pseudo-terminal");
  if (::write(controller.get(), typed.data(), typed.size()) != static_cast<ssize_t>(typed.size()))
    throw std::runtime_error("pseudo-terminal");
  posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETSID);
  // The first terminal that a session's leader opens becomes its own.
  posix_spawn_file_actions_addopen(&plan.actions, 0, name, O_RDWR, 0);
  return controller;
}

}  // namespace

ParentProcess::ParentProcess(const ParentSetup& setup) : errors_(file_with("")) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error("socketpair");
  channel_.emplace(lifted(UniqueFd(ends[0])));
  const UniqueFd theirs = lifted(UniqueFd(ends[1]));

  SpawnPlan plan;
  UniqueFd input;
  if (setup.typed) {
    terminal_ = give_terminal(plan, *setup.typed);
  } else {
    input = pipe_with(setup.input.value_or(""));
    plan.give(input, 0);
  }
  plan.give(theirs, 1);
  plan.give(errors_, 2);
  std::vector<UniqueFd> opened;
  for (const auto& [number, path] : setup.descriptors) {
    opened.push_back(lifted(UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC))));
    plan.give(opened.back(), number);
  }
  if (setup.working_directory)
    posix_spawn_file_actions_addchdir_np(&plan.actions, setup.working_directory->c_str());

  std::vector<std::string> environment = environment_with(setup.environment);
  std::vector<char*> pointers;
  for (std::string& entry : environment) pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  std::string executable = setup.executable.string();
  char* arguments[] = {executable.data(), nullptr};
  const int error = ::posix_spawn(&pid_, executable.c_str(), &plan.actions, &plan.attributes,
                                  arguments, pointers.data());
  if (error != 0) throw std::runtime_error(executable + ": " + ::strerror(error));
}

ParentProcess::~ParentProcess() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool ParentProcess::alive() const {
  siginfo_t info{};
  return pid_ > 0 &&
         ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

std::string ParentProcess::wait(std::chrono::milliseconds timeout) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + timeout;
  while (alive() && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const bool late = alive();
  if (late) ::kill(pid_, SIGKILL);
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  if (late) return "did not end";
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
}

std::string ParentProcess::error_text() const {
  std::string text;
  char piece[4096];
  for (;;) {
    const ssize_t got =
        ::pread(errors_.get(), piece, sizeof piece, static_cast<off_t>(text.size()));
    if (got <= 0) return text;
    text.append(piece, static_cast<std::size_t>(got));
  }
}

}  // namespace cordon::cases
