#pragma once
// The actors' Commands in production: plans once per call, launches on blocking threads, watches on
// the I/O thread.

#include <boost/asio/io_context.hpp>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "actors/services.h"
#include "capabilities/process/command_sandbox.h"

namespace cordon {

struct CommandServiceOptions {
  std::filesystem::path launcher;  // cordon-launch
  std::filesystem::path bubblewrap = "/usr/bin/bwrap";
};

// Thread-safe. Must outlive its sessions' commands; `io` and `blocking` outlive it.
class CommandService final : public Commands {
 public:
  CommandService(boost::asio::io_context& io, BlockingExecutor& blocking,
                 CommandServiceOptions options);
  std::shared_ptr<CommandSession> open_session(std::shared_ptr<const Authority> authority) override;

  // What this host offers, found out once; never null. May block.
  Result<const CommandHost*, SandboxFailure> host();

 private:
  boost::asio::io_context& io_;
  BlockingExecutor& blocking_;
  const CommandServiceOptions options_;
  std::mutex mutex_;
  std::optional<CommandHost> host_;
};

}  // namespace cordon
