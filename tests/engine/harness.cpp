#include "tests/engine/harness.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <future>

#include "messages/frame.h"
#include "messages/session.capnp.h"

namespace cordon::test {

void IoThread::stop() {
  if (!thread_.joinable()) return;
  io.stop();
  thread_.join();
}

ZygoteOptions probe_options() { return {.executable = CORDON_PROBE_ENGINE}; }

ChildProcess fork_child(ZygoteClient& client, ZygoteClient::Use use) {
  std::promise<Result<ChildProcess, StartFailure>> promise;
  client.fork(
      [&](Result<ChildProcess, StartFailure> child) { promise.set_value(std::move(child)); }, use);
  auto child = promise.get_future().get();
  if (!child) FAIL(child.error().mechanism + ": " + child.error().message);
  return std::move(*child);
}

ProbeResult run_probe(ChildProcess child, const std::string& probe) {
  const int channel = child.channel.get();
  REQUIRE(::fcntl(channel, F_SETFL, 0) == 0);
  const auto job = Message<wire::HostFrame>::build(
      [&](wire::HostFrame::Builder frame) { frame.initJob().setCode(probe); });
  REQUIRE(write_frame(channel, job));
  const Message<wire::ChildFrame> answer(read_frame(channel, 1 << 20));
  ProbeResult result;
  if (!answer.empty()) {
    const auto view = answer.read();
    const auto bytes = view->getResult();
    result.text.emplace(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
  }
  result.end = reap(child.pidfd.get());
  return result;
}

std::string proc_line(pid_t pid, const std::string& file, const std::string& key) {
  std::ifstream lines("/proc/" + std::to_string(pid) + "/" + file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const auto start = line.find_first_not_of(" \t", key.size());
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

bool ends(int pidfd) {
  pollfd item{pidfd, POLLIN, 0};
  return ::poll(&item, 1, 10'000) == 1;
}

}  // namespace cordon::test
