#pragma once
// One running command on the host's side: its output, its deadline, its end.
//
// Made and dropped anywhere, used on the I/O thread. Invariant: when `on_end` is called, once,
// every process of the sandbox is gone; and whatever happens, all are killed by the time this
// object is gone.

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "actors/process/command_launch.h"
#include "capabilities/process/command_result.h"

namespace cordon {

// What the launcher says about the sandbox when it stands.
struct SandboxStarted {
  unsigned landlock = 0;  // version; 0: none
  std::uint32_t user = 0;
  bool owners_mapped = false;
};

class CommandRun : public std::enable_shared_from_this<CommandRun> {
 public:
  using OnEnd = std::function<void(CommandEnd, std::optional<SandboxStarted>)>;

  // A command that cannot be watched is ended, which may take a while.
  static Result<std::shared_ptr<CommandRun>, SandboxFailure> adopt(boost::asio::io_context& io,
                                                                   LaunchedCommand launched,
                                                                   const CommandLimits& limits);
  ~CommandRun();
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  void begin(OnEnd on_end);
  // The first reason stands.
  void stop(CommandEnd::Stopped reason);

 private:
  CommandRun(boost::asio::io_context& io, ControlGroup group, const CommandLimits& limits);

  using Stream = boost::asio::posix::stream_descriptor;

  void await_output(Stream& stream, std::string& into);
  bool read_output(Stream& stream, std::string& into);
  void await_control();
  bool take_frame();
  void await_end();
  void on_process_end();
  void collect();
  void remove_group(std::chrono::steady_clock::time_point patience);
  void finish();
  void kill() noexcept;
  void let_bubblewrap_end();

  Stream process_;
  Stream control_;
  Stream out_;
  Stream err_;
  Stream first_;  // pidfd of the sandbox's first process, once it is known
  boost::asio::steady_timer deadline_;
  ControlGroup group_;
  CommandLimits limits_;
  OnEnd on_end_;

  CommandEnd end_;
  CommandOutput output_;
  bool ended_ = false;   // the launcher has told the command's end
  bool ending_ = false;  // nothing but bubblewrap's end is awaited, for kPatience at most
  bool reaped_ = false;
  std::optional<SandboxStarted> started_;
};

}  // namespace cordon
