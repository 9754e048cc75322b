#include "tests/support/forked_process.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>

#include "messages/unique_fd.h"

namespace cordon::test {

std::string in_forked_process(const std::function<std::string()>& body) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    std::string text;
    try {
      text = body();
    } catch (const std::exception& problem) {
      text = problem.what();
    } catch (...) {  // an assertion of Catch2's
      text = "the forked process failed";
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

}  // namespace cordon::test
