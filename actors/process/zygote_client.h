#pragma once
// Keeps one `cordon-engine zygote` alive and forks children from it.
//
// The zygote is replaced when it dies or does not answer for `patience`, when retire() says that
// its address layout may be known to an attacker, and after `max_forks`. A fork in flight when the
// zygote is lost is repeated on the next one: no call is lost. After `kMaxStartFailures` starts in
// a row have failed, forks fail with the reason.

#include <sys/types.h>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "actors/process/engine_process.h"
#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

// A freshly forked, locked-down child that waits for its job. Whoever holds it kills and reaps it
// (pidfd.h).
struct ChildProcess {
  // Keeps the child's PID namespace alive: drop it last, after the child was reaped. Dropping the
  // last one of a replaced zygote kills and reaps whatever is left in its namespace.
  std::shared_ptr<void> lease;
  UniqueFd channel;  // the host's end, non-blocking, close-on-exec
  UniqueFd pidfd;
  // In the host's PID namespace, valid until reaped; -1 if the child has ended already and this
  // program ignores SIGCHLD.
  pid_t pid = -1;
  std::uint64_t zygote = 0;           // generation, for retire()
  std::uint64_t base_data_bytes = 0;  // RLIMIT_DATA in use by the warm engine
};

struct ZygoteOptions {
  std::filesystem::path executable;  // cordon-engine
  bool jit = true;
  std::uint64_t max_forks = 10'000;  // the zygote is replaced after that many
  // A fork takes milliseconds, on the busiest machine much less than this: such a zygote has been
  // stopped.
  std::chrono::milliseconds patience{5'000};
};

class ZygoteClient {
 public:
  using OnChild = std::function<void(Result<ChildProcess, StartFailure>)>;
  // kLater: the child has time to run a small job of the engine's own first, which makes the first
  // job that it is given faster.
  enum class Use : std::uint8_t { kNow, kLater };

  // Starts the first zygote and waits until it is ready, or fails.
  static Result<std::unique_ptr<ZygoteClient>, StartFailure> start(boost::asio::io_context& io,
                                                                   ZygoteOptions options);
  // Stops the zygote and waits for its end. Call after the io_context has stopped or from its
  // thread.
  ~ZygoteClient();

  // What the first zygote said of itself.
  const EngineReady& engine() const noexcept;

  // Thread-safe. `on_child` runs on the I/O thread, exactly once.
  void fork(OnChild on_child, Use use = Use::kNow);

  // Thread-safe. A child of that generation died of SIGSEGV, SIGBUS, SIGILL or SIGSYS.
  void retire(std::uint64_t zygote);

 private:
  class Impl;
  explicit ZygoteClient(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace cordon
