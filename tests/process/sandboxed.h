#pragma once
// Commands run through the production service, without engine or actors.

#include <cordon/options.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "actors/command_service.h"
#include "actors/process/blocking_threads.h"
#include "actors/process/io_thread.h"

namespace cordon::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory();  // readable by nobody else
  ~TemporaryDirectory();
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text, int mode = 0644) const;
  std::string read(const std::string& name) const;

 private:
  std::string path_;
};

// One call's grant and the commands that it runs.
class Sandboxed {
 public:
  explicit Sandboxed(std::vector<std::string> commands,
                     CommandServiceOptions service = production());
  ~Sandboxed();

  static CommandServiceOptions production();

  AISandboxOptions options;  // to be changed before the first command
  SandboxSubprocessGrant& grant() { return *options.subprocess; }
  SandboxProcessPolicy& sandbox() { return grant().sandbox; }

  SpawnedCommand run(const std::string& command, std::vector<std::string> arguments = {});
  // Started, not awaited; `on_end` on the I/O thread.
  void start(const std::string& command, std::vector<std::string> arguments,
             CommandSession::OnEnd on_end);
  void close() { session().close(); }

  // What a command wrote; fails the test if it did not end by itself.
  std::string output(const std::string& command, std::vector<std::string> arguments = {});
  // Of /bin/sh, with what it wrote as errors behind.
  std::string shell(const std::string& script);
  // Of the testee.
  std::string probe(const std::string& name, const std::string& argument = "");

  const CommandHost& host() { return **service_.host(); }

 private:
  CommandSession& session();

  IoThread io_;
  BlockingThreads blocking_{2};
  CommandService service_;
  std::shared_ptr<const Authority> authority_;
  std::shared_ptr<CommandSession> session_;
};

// The testee as a command.
inline const std::string kTestee = CORDON_COMMAND_TESTEE;

// False, with the reason said, where no sandbox can be had: then its tests are skipped.
bool can_run();

// "capability: message", or "error: message", of a command that has no output.
std::string refusal_of(const SpawnedCommand& command);

// The mechanism of a wall in the report, "" without.
std::string wall(const SpawnedCommand& command, const std::string& name);

// Waits (bounded) until no process of the machine has `text` in its command line.
bool no_process_with(const std::string& text);
// Waits (bounded) until so many processes have.
bool wait_for_process_with(const std::string& text, std::size_t count = 1);

}  // namespace cordon::test
