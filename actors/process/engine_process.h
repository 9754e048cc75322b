#pragma once
// One running role of the `cordon-engine` executable, seen from the host that started it.
//
// The engine gets the descriptors named here and no other, an environment of constants, a session
// of its own (no terminal signal reaches it) and default signal handling. Everything it becomes
// (the namespace's init, the zygote or service, every forked child) stays in one process group and
// one PID namespace: stop() ends and reaps all of it, children that nobody knows of included.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actors/process/start_failure.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

struct EngineProcessOptions {
  std::filesystem::path executable = {};  // cordon-engine
  // The role first: {"zygote", "--jitless"}. Never a secret: other users can read them.
  std::vector<std::string> arguments = {};
  // Descriptors are borrowed for the time of start() and need not be inheritable; -1: /dev/null.
  int standard_input = -1;
  int standard_output = -1;
  std::vector<int> extra_descriptors = {};     // become 5, 6, ... in the engine
  std::chrono::milliseconds deadline{30'000};  // for the whole start
};

// What the zygote says when it is ready to fork.
struct EngineReady {
  std::string engine;                 // e.g. "mozjs-102.15.1"
  std::string build;                  // checked against this host's own build id by start()
  std::uint64_t data_bytes = 0;       // RLIMIT_DATA in use by the warm engine
  std::uint64_t huge_text_bytes = 0;  // of its code, on huge pages; it is only slower without
  std::uint64_t huge_data_bytes = 0;  // the same of its data
};

class EngineProcess {
 public:
  // Blocks until the role is up: the zygote has said that it is ready; the compiler has executed
  // its service, fully locked down (what the service then does is for its client to judge). May be
  // called from any thread. On failure nothing is left running.
  static Result<EngineProcess, StartFailure> start(const EngineProcessOptions& options);

  EngineProcess(EngineProcess&& other) noexcept;
  EngineProcess& operator=(EngineProcess&& other) noexcept;
  ~EngineProcess();  // stop()

  // Owned by this object. The control socket is non-blocking; nobody holds its other end once a
  // compiler has executed its service.
  int control() const noexcept { return control_.get(); }
  // Hands it over. Closing it ends a zygote, but neither its children nor their namespace.
  UniqueFd take_control() noexcept { return std::move(control_); }
  int process() const noexcept { return process_.get(); }  // pidfd of the zygote or service

  // Set for the zygote, empty for the compiler.
  const std::optional<EngineReady>& ready() const noexcept { return ready_; }

  // Kills every process of the role and waits until all are gone (some milliseconds). A child whose
  // status is of interest must be reaped before. Idempotent; not concurrently with other members.
  void stop() noexcept;

 private:
  EngineProcess() noexcept = default;
  std::optional<StartFailure> await_start(const EngineProcessOptions& options);

  UniqueFd control_;
  UniqueFd lifeline_;  // write end: its closing ends the namespace, also when the host is killed
  UniqueFd init_;      // pidfd of the namespace's init
  UniqueFd process_;
  pid_t group_ = -1;  // process group of the launcher and of everything after it
  std::optional<EngineReady> ready_;
};

}  // namespace cordon
