#include "tests/cli/support/command.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstring>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace cordon::test {
namespace {

struct Pipe {
  UniqueFd read, write;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
};

void write_all(const UniqueFd& fd, const std::string& text) {
  if (::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("write failed");
  }
}

// A terminal on which `text` and the key for the end of input have been typed.
Pipe typed(const std::string& text) {
  Pipe ends;
  int keyboard = -1, screen = -1;
  if (::openpty(&keyboard, &screen, nullptr, nullptr, nullptr) != 0) {
    throw std::runtime_error("openpty failed");
  }
  ends.read.reset(screen);
  ends.write.reset(keyboard);
  ::fcntl(keyboard, F_SETFD, FD_CLOEXEC);
  ::fcntl(screen, F_SETFD, FD_CLOEXEC);
  write_all(ends.write, text + "\x04");
  return ends;
}

Pipe written(const std::string& text) {
  Pipe ends;
  write_all(ends.write, text);
  ends.write.reset();
  return ends;
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

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Appends what can be read; false at the end of the stream.
bool drain(const UniqueFd& fd, std::string& text) {
  char buffer[4096];
  const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
  if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

Command::Command(const Invocation& invocation) {
  Pipe out, err, extra;
  if (invocation.fd3) write_all(extra.write, *invocation.fd3);
  Pipe in = invocation.terminal ? typed(invocation.input) : written(invocation.input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, invocation.working_directory.c_str());
  posix_spawn_file_actions_adddup2(&actions, in.read.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), 2);
  if (invocation.fd3) posix_spawn_file_actions_adddup2(&actions, extra.read.get(), 3);

  std::vector<std::string> argv = {CORDON_EXECUTABLE};
  argv.insert(argv.end(), invocation.arguments.begin(), invocation.arguments.end());
  std::vector<std::string> environment = environment_with(invocation.environment);
  const int error = ::posix_spawn(&pid_, CORDON_EXECUTABLE, &actions, nullptr,
                                  pointers(argv).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(std::string("posix_spawn: ") + std::strerror(error));
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  terminal_ = std::move(in.write);  // open for as long as the command may read it
}

Command::~Command() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool Command::read_more() {
  pollfd waits[] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
  if (!out_ && !err_) return false;
  if (::poll(waits, 2, -1) < 0) return true;
  if (waits[0].revents != 0 && !drain(out_, finished_.out)) out_.reset();
  if (waits[1].revents != 0 && !drain(err_, finished_.err)) err_.reset();
  return true;
}

bool Command::wait_for_err(const std::string& text) {
  while (finished_.err.find(text) == std::string::npos) {
    if (!read_more()) return false;
  }
  return true;
}

void Command::signal(int number) const { ::kill(pid_, number); }

Finished Command::finish() {
  while (read_more()) {
  }
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  finished_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return std::move(finished_);
}

Finished run_cordon(const Invocation& invocation) { return Command(invocation).finish(); }

Finished run_cordon(const std::vector<std::string>& arguments) {
  return run_cordon(Invocation{.arguments = arguments});
}

}  // namespace cordon::test
