#include "tests/compile/running_client.h"

#include <catch2/catch.hpp>

#include <utility>

namespace cordon::test {

RunningClient::RunningClient(ServiceLaunchers launchers, std::chrono::milliseconds deadline)
    : work_(boost::asio::make_work_guard(io_)) {
  CompilerOptions options;
  options.deadline = deadline;
  auto started = CompilerClient::start(io_, std::move(options), std::move(launchers));
  if (!started) FAIL("no compiler: " << started.error().message);
  client_ = *std::move(started);
  thread_ = std::thread([this] { io_.run(); });
}

RunningClient::~RunningClient() { stop(); }

void RunningClient::stop() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
  client_.reset();
}

std::future<Outcome> RunningClient::start(std::string source, bool experimental_decorators) {
  return request({std::move(source), experimental_decorators});
}

std::future<Outcome> RunningClient::request(CompileRequest request) {
  // A promise can be kept once only, so a second answer would show as an exception.
  auto promise = std::make_shared<std::promise<Outcome>>();
  client_->compile(std::move(request),
                   [promise](Outcome outcome) { promise->set_value(std::move(outcome)); });
  return promise->get_future();
}

std::vector<std::future<Outcome>> RunningClient::start_all(
    const std::vector<std::string>& sources) {
  std::vector<std::future<Outcome>> outcomes;
  for (const std::string& source : sources) outcomes.push_back(start(source));
  return outcomes;
}

Outcome RunningClient::compile(std::string source, bool experimental_decorators) {
  return get(start(std::move(source), experimental_decorators));
}

Outcome get(std::future<Outcome> outcome) {
  if (outcome.wait_for(std::chrono::seconds(90)) != std::future_status::ready) {
    FAIL("a request was not answered");
  }
  return outcome.get();
}

std::string program(int number) {
  return "export const value: string = \"number " + std::to_string(number) + "\";\n";
}

void check_program(const Outcome& outcome, int number) {
  const std::string expected = "const value = \"number " + std::to_string(number) + "\";";
  CHECK(code_of(outcome).find(expected) != std::string::npos);
}

std::string code_of(const Outcome& outcome) {
  if (!outcome) FAIL("not compiled: " << outcome.error().message);
  return outcome->code;
}

}  // namespace cordon::test
