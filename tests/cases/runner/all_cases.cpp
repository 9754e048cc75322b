#include "tests/cases/runner/all_cases.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <mutex>
#include <thread>

#include "messages/unique_fd.h"

namespace cordon::cases {

namespace {

struct Ended {
  int code = -1;  // -1: by a signal
  std::string text;
};

// Standard output and error together.
Ended run_captured(std::vector<std::string> command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), 2);
  std::vector<char*> pointers;
  for (std::string& argument : command) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, command[0].c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + command[0]);
  write_end.reset();
  Ended ended;
  char piece[4096];
  for (ssize_t got = 0; (got = ::read(read_end.get(), piece, sizeof piece)) > 0;)
    ended.text.append(piece, static_cast<std::size_t>(got));
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  return ended;
}

}  // namespace

bool run_all(const std::vector<Case>& cases, const std::vector<std::string>& command,
             int parallel) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  int passed = 0, failed = 0, skipped = 0;
  const auto work = [&] {
    for (std::size_t at = 0; (at = next++) < cases.size();) {
      std::vector<std::string> one = command;
      one.insert(one.end(), {"--case", cases[at].id});
      const Ended ended = run_captured(std::move(one));
      const std::lock_guard lock(mutex);
      std::cout << ended.text << std::flush;
      if (ended.code == kExitPassed) {
        ++passed;
      } else if (ended.code == kExitSkipped) {
        ++skipped;
      } else {
        ++failed;
        if (ended.code != kExitFailed)
          std::cout << "failed " << cases[at].id << ": the judge itself ended with " << ended.code
                    << "\n";
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < std::max(parallel, 1); ++i) workers.emplace_back(work);
  }
  std::cout << passed << " passed, " << failed << " failed, " << skipped << " skipped\n";
  return failed == 0;
}

void print_ctest_entries(const std::vector<Case>& cases, const Disputed& disputed,
                         const std::filesystem::path& runner, const std::filesystem::path& file,
                         std::ostream& out) {
  for (const Case& one : cases) {
    const bool is_disputed = disputed.contains(one.id);
    const std::string name = "[==[cases: " + one.id + (is_disputed ? " (disputed)" : "") + "]==]";
    out << "add_test(" << name << " [==[" << runner.string() << "]==] [==[" << file.string()
        << "]==] --case [==[" << one.id << "]==])\n"
        << "set_tests_properties(" << name << " PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE "
        << kExitSkipped;
    if (is_disputed) out << " PASS_REGULAR_EXPRESSION [==[failed \\(disputed: ]==]";
    out << ")\n";
  }
}

}  // namespace cordon::cases
