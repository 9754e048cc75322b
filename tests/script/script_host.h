#pragma once
// The host's side of an engine child, for tests: gives it a job, answers its requests, and keeps
// every frame that it wrote.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages/payload.h"
#include "messages/unique_fd.h"
#include "session.capnp.h"

namespace cordon::testing {

struct Job {
  std::string code;
  std::string arguments = "[]";
  wire::Entry entry = wire::Entry::MODULE;
  std::vector<std::pair<std::string, std::string>> modules = {};
  std::uint64_t heap_bytes = std::uint64_t{256} << 20;
  std::uint64_t console_bytes = 64 * 1024;
  std::uint64_t argument_bytes = 1 << 20;
  std::uint64_t result_bytes = std::uint64_t{16} << 20;
  std::uint32_t open_requests = 10000;
  std::uint64_t open_bytes = std::uint64_t{16} << 20;
  std::uint64_t data_limit_bytes = 0;  // RLIMIT_DATA above what the warm engine uses; 0: none
  std::string source_name = "main.ts";
};

struct FailureText {
  wire::Failure::Kind kind;
  std::string name;
  std::string message;
  std::string stack;
  std::uint64_t denied_by;
  std::uint32_t line;
  std::uint32_t column;
};

struct ConsoleCall {
  wire::ConsoleText::Level level;
  std::string text;
  bool truncated;
};

// How a child ended. Neither result nor failure: it closed the channel without a last frame.
struct Ending {
  std::optional<std::string> result;
  std::optional<FailureText> failure;
  std::vector<ConsoleCall> console;
  std::vector<Payload> requests;
  bool wrote_after_the_end = false;
};

// One child with its channel. Destroying it closes the channel, upon which the child exits.
class Session {
 public:
  explicit Session(UniqueFd channel) : channel_(std::move(channel)) {}

  void send_job(const Job& job);
  // One frame of the child, empty at the end.
  Payload next();
  void reply(std::uint64_t id, const std::function<void(wire::Reply::Builder)>& fill);
  void send(const Payload& frame);

 private:
  UniqueFd channel_;
};

// Sets the reply to a request; leaves it alone not to answer.
using Answer = std::function<void(wire::Request::Reader, wire::Reply::Builder)>;

// A warm engine process. `jit` as in ScriptEngineOptions.
class ScriptHost {
 public:
  explicit ScriptHost(bool jit = true);
  ~ScriptHost();

  Session start(const Job& job);
  // Runs a job to its end; without an answer to a request, the child waits in vain for ever.
  Ending run(const Job& job, const Answer& answer = {});
  pid_t pid() const { return pid_; }

 private:
  UniqueFd control_;
  pid_t pid_ = -1;
};

// The one host that most tests share.
ScriptHost& host();

// Shorthands for jobs without ado.
Ending run_module(const std::string& code, const std::string& arguments = "[]");
Ending run_script(const std::string& code);
// The result of a module, or "KIND name: message" of its failure.
std::string outcome(const std::string& code, const std::string& arguments = "[]");
std::string describe(const Ending& ending);

}  // namespace cordon::testing
