#pragma once
// Starts zygotes of the probe engine (tests/testees/probe_engine.cpp) and runs probes in children.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <optional>
#include <string>
#include <thread>

#include "actors/process/pidfd.h"
#include "actors/process/zygote_client.h"

namespace cordon::test {

// Runs an io_context on a thread of its own.
class IoThread {
 public:
  IoThread() : guard_(io.get_executor()), thread_([this] { io.run(); }) {}
  ~IoThread() { stop(); }
  void stop();

  boost::asio::io_context io;

 private:
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  std::thread thread_;
};

ZygoteOptions probe_options();

// Fails the test when there is none.
ChildProcess fork_child(ZygoteClient& client, ZygoteClient::Use use = ZygoteClient::Use::kNow);

struct ProbeResult {
  std::optional<std::string> text;  // none: the child died before it could tell
  ProcessEnd end;                   // killed by SIGKILL after its answer, or what it died of
};
ProbeResult run_probe(ChildProcess child, const std::string& probe);

// A line of /proc/<pid>/<file> that starts with `key`, without key and white space.
std::string proc_line(pid_t pid, const std::string& file, const std::string& key);

// True when the process is over within ten seconds, whoever reaps it.
bool ends(int pidfd);

}  // namespace cordon::test
