// A host to be killed: prints the pids of all its engine processes, then waits. With the argument
// "fork" it first forks a process that keeps every descriptor open, as careless programs do, until
// the end of standard input.

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

#include "actors/process/zygote_client.h"

int main(int, char** argv) {
  boost::asio::io_context io;
  auto client = cordon::ZygoteClient::start(io, {.executable = argv[1]});
  if (!client) return 1;
  std::thread thread([&] { io.run(); });
  std::vector<cordon::ChildProcess> children;
  for (int i = 0; i < 4; ++i) {
    std::promise<cordon::ChildProcess> child;
    (*client)->fork([&](auto result) { child.set_value(std::move(*result)); });
    children.push_back(child.get_future().get());
  }
  // The kernel promises no complete list while processes come and go.
  std::set<pid_t> pids;
  while (pids.size() < children.size() + 2) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream list(task.path() / "children");
      for (pid_t pid = 0; list >> pid;) pids.insert(pid);
    }
  }
  for (const pid_t pid : pids) std::printf("%d ", pid);
  if (std::string_view(argv[2]) == "fork" && ::fork() == 0) {
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) {
    }
    ::_exit(0);
  }
  std::printf("\n");
  std::fflush(stdout);
  ::pause();
}
