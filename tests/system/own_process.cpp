#include "tests/system/own_process.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "messages/unique_fd.h"

namespace cordon::test {

std::string in_own_process(const std::function<void()>& body) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    std::string text = kGood;
    try {
      body();
    } catch (const std::exception& problem) {
      text = problem.what();
    } catch (...) {
      text = "unknown exception";
    }
    const bool told = ::write(to.get(), text.data(), text.size()) >= 0;
    ::_exit(told ? 0 : 1);
  }
  to.reset();
  std::string text;
  char buffer[512];
  for (ssize_t count = 0; (count = ::read(from.get(), buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? text : "died of signal " + std::to_string(WTERMSIG(status));
}

void check_or_skip(const std::string& said, const std::string& needs) {
  if (said == kSkip) {
    WARN("skipped: this test needs " + needs);
    return;
  }
  CHECK(said == kGood);
}

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

std::string describe(const Outcome& outcome) {
  return std::string(to_string(outcome.status)) +
         (outcome.error ? ": " + outcome.error->message : "");
}

void require_ok(const Outcome& outcome) {
  require(outcome.status == Status::kOk, describe(outcome));
}

void require_unavailable(const Outcome& outcome, const std::string& words) {
  require(outcome.status == Status::kUnavailable &&
              outcome.error->message.find(words) != std::string::npos,
          "not unavailable with '" + words + "': " + describe(outcome));
}

void set_soft_limit(pid_t pid, __rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  require(::prlimit(pid, resource, nullptr, &limit) == 0, "prlimit");
  limit.rlim_cur = std::min(value, limit.rlim_max);
  require(::prlimit(pid, resource, &limit, nullptr) == 0, "prlimit");
}

void enter_mount_namespace() {
  if (::unshare(::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    throw std::runtime_error(kSkip);
  }
}

void mount_small(const std::string& path, const char* options) {
  if (::mount("cordon-test", path.c_str(), "tmpfs", 0, options) != 0) {
    throw std::runtime_error(kSkip);
  }
}

void fill(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string block(4096, 'x');
  while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
}

}  // namespace cordon::test
