#pragma once
// A compiler client with an I/O thread, asked from the test's thread.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "actors/compile/compiler_client.h"

namespace cordon::test {

using Outcome = Result<CompiledModule, CompileFailure>;

class RunningClient {
 public:
  // Fails the test when the client does not start.
  explicit RunningClient(ServiceLaunchers launchers,
                         std::chrono::milliseconds deadline = std::chrono::seconds(20));
  // esbuild alone.
  explicit RunningClient(ServiceLauncher esbuild,
                         std::chrono::milliseconds deadline = std::chrono::seconds(20))
      : RunningClient(ServiceLaunchers{.esbuild = std::move(esbuild)}, deadline) {}
  ~RunningClient();

  std::future<Outcome> start(std::string source, bool experimental_decorators = false);
  std::future<Outcome> request(CompileRequest request);
  std::vector<std::future<Outcome>> start_all(const std::vector<std::string>& sources);
  Outcome compile(std::string source, bool experimental_decorators = false);

  // Ends the client as its owner would, on the test's thread.
  void stop();

 private:
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::unique_ptr<CompilerClient> client_;
  std::thread thread_;
};

// Waits for it, but not for ever: a lost answer fails the test.
Outcome get(std::future<Outcome> outcome);

// A program that differs from those of other numbers, and the check of its compilation.
std::string program(int number);
void check_program(const Outcome& outcome, int number);

// The code of a compilation that must succeed.
std::string code_of(const Outcome& outcome);

}  // namespace cordon::test
