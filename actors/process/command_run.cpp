#include "actors/process/command_run.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <new>
#include <string_view>
#include <utility>

#include "actors/duration.h"
#include "actors/process/pidfd.h"
#include "actors/process/watch.h"
#include "capabilities/shown_text.h"
#include "messages/descriptor_passing.h"
#include "messages/launch.capnp.h"

namespace cordon {

namespace {

constexpr std::size_t kReadBytes = 64 << 10;
// More than bubblewrap needs to build a sandbox, or to end after it, on the busiest machine.
constexpr auto kPatience = std::chrono::seconds(5);

std::string text(capnp::Text::Reader in) { return {in.cStr(), in.size()}; }

// Waits for bubblewrap's end, and kills what is left of its process group: its child, where
// bubblewrap died before it let that one go on. Until bubblewrap is reaped, the group is ours.
void kill_what_it_left(int bubblewrap) {
  siginfo_t ended{};
  const int waited = ::waitid(P_PIDFD, static_cast<id_t>(bubblewrap), &ended, WEXITED | WNOWAIT);
  if (waited == 0 && ended.si_pid > 0) ::kill(-ended.si_pid, SIGKILL);
}

// For bubblewrap, whose launcher has been told to end.
void wait_for_end(int bubblewrap) {
  send_signal(bubblewrap, SIGCONT);
  pollfd end{bubblewrap, POLLIN, 0};
  constexpr auto kMilliseconds = std::chrono::milliseconds(kPatience).count();
  if (::poll(&end, 1, static_cast<int>(kMilliseconds)) == 0) send_signal(bubblewrap, SIGKILL);
  kill_what_it_left(bubblewrap);
  reap(bubblewrap);
}

// What bubblewrap said before it gave up, for people.
std::string first_line(const std::string& said) {
  const std::string line = said.substr(0, said.find('\n'));
  if (line.empty()) {
    return "it ended before the sandbox stood; reinstall bubblewrap and this build's cordon-launch";
  }
  return shown(line) +
         "; allow user namespaces (user.max_user_namespaces, kernel.unprivileged_userns_clone, the "
         "container's profile), or run as root";
}

}  // namespace

Result<std::shared_ptr<CommandRun>, SandboxFailure> CommandRun::adopt(boost::asio::io_context& io,
                                                                      LaunchedCommand launched,
                                                                      const CommandLimits& limits) {
  std::shared_ptr<CommandRun> run(new CommandRun(io, std::move(launched.group), limits));
  const std::pair<Stream*, UniqueFd*> streams[] = {{&run->process_, &launched.process},
                                                   {&run->control_, &launched.control},
                                                   {&run->out_, &launched.out},
                                                   {&run->err_, &launched.err}};
  for (const auto& [stream, fd] : streams) {
    const auto failure = watch(*stream, *fd);
    if (!failure) continue;
    run->kill();
    launched.control.reset();
    if (launched.process) wait_for_end(launched.process.get());
    run->reaped_ = static_cast<bool>(launched.process);  // otherwise the destructor ends it
    return SandboxFailure{failure->mechanism, failure->message + "; " + failure->remedy};
  }
  return run;
}

CommandRun::CommandRun(boost::asio::io_context& io, ControlGroup group, const CommandLimits& limits)
    : process_(io),
      control_(io),
      out_(io),
      err_(io),
      first_(io),
      deadline_(io),
      group_(std::move(group)),
      limits_(limits) {}

// The owner went away, or the I/O thread: nobody waits for the end but this.
CommandRun::~CommandRun() {
  if (reaped_) return;
  kill();
  boost::system::error_code ignored;
  control_.close(ignored);
  wait_for_end(process_.native_handle());
}

void CommandRun::begin(OnEnd on_end) {
  on_end_ = std::move(on_end);
  deadline_.expires_after(to_duration(limits_.timeout_ms));
  deadline_.async_wait([self = shared_from_this()](auto error) {
    if (!error) self->stop(CommandEnd::Stopped::kTimeout);
  });
  await_output(out_, output_.out);
  await_output(err_, output_.err);
  await_control();
  await_end();
}

void CommandRun::stop(CommandEnd::Stopped reason) {
  if (reaped_ || ended_ || end_.stopped != CommandEnd::Stopped::kNo) return;
  end_.stopped = reason;
  kill();
  let_bubblewrap_end();
}

// The sandbox is gone or going: bubblewrap reaps its first process and ends, also if somebody has
// stopped it. One that something else holds up is killed in time.
void CommandRun::let_bubblewrap_end() {
  send_signal(process_.native_handle(), SIGCONT);
  if (std::exchange(ending_, true)) return;
  deadline_.expires_after(kPatience);
  deadline_.async_wait([self = shared_from_this()](auto error) {
    if (!error && !self->reaped_) send_signal(self->process_.native_handle(), SIGKILL);
  });
}

// The kernel kills the whole sandbox with its first process. Before that one is known, the sandbox
// is being built, which takes milliseconds and nothing of the guest's: the launcher then finds that
// the host has hung up, and ends. Killing bubblewrap meanwhile could leave its child behind, which
// waits for it before it would notice.
void CommandRun::kill() noexcept {
  group_.lift_quota();
  if (first_.is_open()) {
    send_signal(first_.native_handle(), SIGKILL);
  } else {
    ::shutdown(control_.native_handle(), SHUT_WR);
  }
}

// ------------------------------------------------------------------------------------ output

void CommandRun::await_output(Stream& stream, std::string& into) {
  stream.async_wait(Stream::wait_read, [this, self = shared_from_this(), &stream,
                                        &into](const boost::system::error_code& error) {
    if (error || reaped_) return;
    if (read_output(stream, into)) await_output(stream, into);
  });
}

// What is there now, as far as the limit allows. False at the end of the stream or at the limit.
bool CommandRun::read_output(Stream& stream, std::string& into) {
  std::array<char, kReadBytes> buffer;
  for (;;) {
    const ssize_t got = ::read(stream.native_handle(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return true;
    if (got <= 0) return false;
    const auto give_up = [this](CommandEnd::Stopped reason) {
      if (end_.stopped == CommandEnd::Stopped::kNo) {
        end_.stopped = reason;
        if (!reaped_) {
          kill();
          let_bubblewrap_end();
        }
      }
      return false;
    };
    if (output_.out.size() + output_.err.size() + static_cast<std::size_t>(got) >
        limits_.output_bytes) {
      return give_up(CommandEnd::Stopped::kOutput);
    }
    try {
      into.append(buffer.data(), static_cast<std::size_t>(got));
    } catch (const std::bad_alloc&) {
      output_ = {};
      return give_up(CommandEnd::Stopped::kOutOfMemory);
    }
    if (!reaped_ && static_cast<std::size_t>(got) < buffer.size()) return true;
  }
}

// ------------------------------------------------------------------------------------ the launcher

void CommandRun::await_control() {
  control_.async_wait(Stream::wait_read,
                      [this, self = shared_from_this()](const boost::system::error_code& error) {
                        if (error || reaped_) return;
                        if (take_frame()) return await_control();
                        // The launcher is gone, perhaps killed by somebody else.
                        group_.lift_quota();
                        let_bubblewrap_end();
                      });
}

// False when there is nothing more to come.
bool CommandRun::take_frame() {
  Packet packet = receive_packet(control_.native_handle(), MSG_DONTWAIT);
  if (packet.payload.empty()) return errno == EAGAIN && !reaped_;
  const Message<wire::LaunchFrame> message(std::move(packet.payload));
  const auto frame = message.read();
  switch (frame->which()) {
    case wire::LaunchFrame::STARTED: {
      const auto started = frame->getStarted();
      started_ =
          SandboxStarted{started.getLandlock(), started.getUser(), started.getOwnersMapped()};
      if (packet.descriptors.size() != 1) return false;
      if (const auto failure = watch(first_, packet.descriptors.front())) {
        end_.failure =
            SandboxFailure{failure->mechanism, failure->message + "; " + failure->remedy};
        group_.lift_quota();
        send_signal(packet.descriptors.front().get(), SIGKILL);
        return false;
      }
      if (end_.stopped != CommandEnd::Stopped::kNo) kill();
      return true;
    }
    case wire::LaunchFrame::FAILED: {
      const auto failed = frame->getFailed();
      const std::string remedy = text(failed.getRemedy());
      end_.failure =
          SandboxFailure{text(failed.getMechanism()),
                         text(failed.getMessage()) + (remedy.empty() ? "" : "; " + remedy)};
      return true;
    }
    case wire::LaunchFrame::NOT_EXECUTED:
      end_.not_executed = frame->getNotExecuted();
      return true;
    case wire::LaunchFrame::ENDED:
      output_.code = frame->getEnded().getCode();
      output_.signal = frame->getEnded().getSignal();
      ended_ = true;
      return true;
  }
  return false;
}

// ------------------------------------------------------------------------------------ the end

void CommandRun::await_end() {
  process_.async_wait(Stream::wait_read,
                      [this, self = shared_from_this()](const boost::system::error_code& error) {
                        if (!error) on_process_end();
                      });
}

void CommandRun::on_process_end() {
  kill_what_it_left(process_.native_handle());
  if (!try_reap(process_.native_handle())) return await_end();
  reaped_ = true;
  deadline_.cancel();
  while (take_frame()) {
  }
  if (!first_.is_open()) return collect();
  kill();  // bubblewrap may have been killed by somebody else
  first_.async_wait(Stream::wait_read, [self = shared_from_this()](auto) { self->collect(); });
}

void CommandRun::collect() {
  read_output(out_, output_.out);
  read_output(err_, output_.err);
  boost::system::error_code ignored;
  for (Stream* const stream : {&out_, &err_, &control_, &process_, &first_}) {
    stream->close(ignored);
  }
  end_.out_of_memory_kills = group_.out_of_memory_kills();
  remove_group(std::chrono::steady_clock::now() + kPatience);
}

// Where bubblewrap was killed before the first process was known, that one may be dying still.
void CommandRun::remove_group(std::chrono::steady_clock::time_point patience) {
  if (group_.remove() || std::chrono::steady_clock::now() > patience) return finish();
  deadline_.expires_after(std::chrono::milliseconds(1));
  deadline_.async_wait([self = shared_from_this(), patience](auto error) {
    if (!error) self->remove_group(patience);
  });
}

void CommandRun::finish() {
  if (!started_ && !end_.failure) {
    end_.failure = SandboxFailure{"bubblewrap", first_line(output_.err)};
  }
  if (ended_) end_.output = std::move(output_);
  const OnEnd on_end = std::exchange(on_end_, nullptr);
  on_end(std::move(end_), started_);
}

}  // namespace cordon
