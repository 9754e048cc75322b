#pragma once
// What actors need of the world outside, behind small interfaces: production wiring is in
// runtime.cpp, tests give fakes. Callbacks may come on any thread; actors turn them into messages
// to themselves.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <cordon/subprocess_report.h>

#include "actors/compile/compiler_client.h"
#include "actors/process/blocking_executor.h"
#include "actors/process/zygote_client.h"
#include "capabilities/authority.h"
#include "capabilities/http/fetched_response.h"
#include "capabilities/network_policy.h"
#include "capabilities/operation.h"
#include "capabilities/process/command_result.h"
#include "capabilities/subprocess_policy.h"
#include "messages/payload.h"
#include "messages/result.h"

namespace cordon {

// Why a child was killed; the first reason stands.
enum class KillReason : std::uint8_t {
  kNone,  // it was not
  kDone,  // it has nothing more to say
  kWallClock,
  kCpu,
  kTerminated,   // by the caller
  kProtocol,     // it broke the session protocol
  kAbandoned,    // its owner went away
  kOutOfMemory,  // the host is, and cannot hold what it says
};

// How a child ended. It is dead and reaped.
struct ChildExit {
  KillReason killed = KillReason::kNone;
  bool signalled = false;
  int status = 0;  // signal number or exit status
  std::chrono::microseconds cpu{0};
  std::uint64_t peak_memory_bytes = 0;
  std::uint64_t bytes_in = 0;   // to the child
  std::uint64_t bytes_out = 0;  // from the child
};

// One child process. Destruction kills and reaps it.
class Child {
 public:
  struct Limits {
    std::uint64_t memory_bytes = 0;   // above what the warm engine uses
    std::size_t max_frame_bytes = 0;  // larger frames are a protocol error
    // The host stops reading while it has as much to deal with.
    unsigned max_unanswered_frames = 0;
    std::size_t max_unanswered_bytes = 0;
  };
  struct Events {
    std::function<void(Payload)> frame;            // segment table is sound, contents hostile
    std::function<void(const ChildExit&)> exited;  // once, after the last frame
  };

  virtual ~Child() = default;
  // Once. Applies the limits, then begins to read. An error: this host does not let it have those
  // limits, and so it must get no job; no event comes.
  [[nodiscard]] virtual std::optional<StartFailure> start(const Limits& limits, Events events) = 0;
  virtual void send(const Payload& frame) = 0;
  // One frame of that many bytes was dealt with.
  virtual void acknowledge(std::size_t bytes) = 0;
  virtual void kill(KillReason reason) = 0;
  // CPU time used so far; none once it is reaped.
  virtual std::optional<std::chrono::microseconds> cpu_time() const = 0;
};

class ChildSource {
 public:
  using OnChild = std::function<void(Result<std::shared_ptr<Child>, StartFailure>)>;
  virtual ~ChildSource() = default;
  virtual void acquire(OnChild on_child) = 0;
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual void compile(CompileRequest request, CompilerClient::OnCompiled on_compiled) = 0;
};

// Watches one call's time from its start and kills the child the moment a limit is reached.
class LimitWatch {
 public:
  virtual ~LimitWatch() = default;  // stops watching
  // From now on a reached limit kills `child`; at once if it is already reached.
  virtual void watch(std::shared_ptr<Child> child) = 0;
};

class LimitWatchSource {
 public:
  struct Limits {
    std::chrono::milliseconds wall_clock{0};
    std::optional<std::chrono::milliseconds> cpu;
  };
  virtual ~LimitWatchSource() = default;
  // `on_limit` is called at most once, with kWallClock or kCpu, right after the child was killed.
  virtual std::shared_ptr<LimitWatch> begin(const Limits& limits,
                                            std::function<void(KillReason)> on_limit) = 0;
};

// One call's HTTP requests. Destruction closes it.
class NetworkSession {
 public:
  using OnResponse = std::function<void(OperationResult<FetchedResponse>)>;
  virtual ~NetworkSession() = default;
  // `on_response` is called once.
  virtual void fetch(const CheckedRequest& request, std::optional<std::string> body,
                     std::uint64_t max_body_bytes, OnResponse on_response) = 0;
  // What is in flight ends as a failure.
  virtual void close() = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  virtual std::shared_ptr<NetworkSession> open_session(bool allow_private_addresses) = 0;
};

// What one spawn() came to.
struct SpawnedCommand {
  OperationResult<CommandOutput> result;
  std::shared_ptr<const SubprocessReport> report;  // null when no sandbox stood
};

// One call's commands. Destruction closes it.
class CommandSession {
 public:
  using OnEnd = std::function<void(SpawnedCommand)>;
  virtual ~CommandSession() = default;
  // `on_end` is called once, when every process of the command is gone.
  virtual void start(CheckedCommand command, OnEnd on_end) = 0;
  // What is running is killed, and ends as a failure.
  virtual void close() = 0;
};

class Commands {
 public:
  virtual ~Commands() = default;
  // `authority` has a subprocess grant.
  virtual std::shared_ptr<CommandSession> open_session(
      std::shared_ptr<const Authority> authority) = 0;
};

class ToolService;

struct Services {
  ChildSource& children;
  Compiler& compiler;
  LimitWatchSource& limits;
  BlockingExecutor& blocking;
  Network& network;
  Commands& commands;
  ToolService& tools;
};

}  // namespace cordon
