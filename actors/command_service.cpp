#include "actors/command_service.h"

#include <boost/asio/post.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "actors/process/command_run.h"
#include "capabilities/shortage.h"
#include "capabilities/shown_text.h"

namespace cordon {

namespace asio = boost::asio;

namespace {

SubprocessReport complete(SubprocessReport report, const SandboxStarted& started) {
  if (started.landlock != 0) {
    report.walls.push_back({"files", "landlock " + std::to_string(started.landlock)});
  } else {
    report.missing.push_back({"files", "this kernel has no Landlock"});
  }
  report.walls.push_back({"user", started.user != 0 ? std::to_string(started.user)
                                                    : std::string("the host's own, unprivileged")});
  if (started.owners_mapped) report.walls.push_back({"roots", "id-mapped to that user"});
  return report;
}

// One call's commands. The plan is made once, by the first command that can have one, and never
// changes.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(CommandService& service, asio::io_context& io, BlockingExecutor& blocking,
          std::shared_ptr<const Authority> authority)
      : service_(service), io_(io), blocking_(blocking), authority_(std::move(authority)) {}

  using OnEnd = CommandSession::OnEnd;

  void start(CheckedCommand command, OnEnd on_end) {
    blocking_.run([self = shared_from_this(), command = std::move(command),
                   on_end = std::move(on_end)] {
      try {
        self->launch(command, on_end);
      } catch (const std::bad_alloc&) {
        on_end({OperationError(out_of_memory("Subprocess " + shown(command.command.path))), {}});
      }
    });
  }

  void close() {
    closed_ = true;
    asio::post(io_, [self = shared_from_this()] {
      for (const auto& [key, run] : self->runs_) run->stop(CommandEnd::Stopped::kCancelled);
    });
  }

 private:
  Result<const CommandSandbox*, SandboxFailure> plan(const CommandHost& host) {
    const std::lock_guard lock(mutex_);
    if (!plan_) {
      auto planned = plan_sandbox(*authority_, host);
      if (!planned) return planned.error();
      plan_.emplace(*std::move(planned));
    }
    return &*plan_;
  }

  void launch(const CheckedCommand& command, const OnEnd& on_end) {
    const std::string& path = command.command.path;
    if (closed_) {
      return on_end({command_result(path, {.stopped = CommandEnd::Stopped::kCancelled}, {}), {}});
    }
    const auto refuse = [&](const SandboxFailure& failure) {
      on_end({OperationError(strict_refusal(path, failure)), {}});
    };
    const auto host = service_.host();
    if (!host) return refuse(host.error());
    const auto planned = this->plan(**host);
    if (!planned) return refuse(planned.error());
    const CommandSandbox& plan = **planned;
    const SubprocessAuthority& subprocess = *authority_->subprocess();
    auto launched = launch_command(plan, subprocess, command, **host);
    if (!launched) return refuse(launched.error());
    const CommandLimits limits{.timeout_ms = subprocess.timeout_ms,
                               .output_bytes = authority_->resources().max_process_output_bytes,
                               .memory_bytes = plan.tree.memory_bytes.value_or(0)};
    auto run = CommandRun::adopt(io_, std::move(*launched), limits);
    if (!run) return refuse(run.error());
    asio::post(io_, [self = shared_from_this(), path, limits, run = *std::move(run), on_end] {
      self->watch(path, limits, run, on_end);
    });
  }

  void watch(const std::string& path, const CommandLimits& limits,
             const std::shared_ptr<CommandRun>& run, const OnEnd& on_end) {
    const std::uint64_t key = ++last_run_;
    runs_.emplace(key, run);
    run->begin([self = shared_from_this(), key, path, limits, on_end](
                   CommandEnd end, const std::optional<SandboxStarted>& started) {
      SpawnedCommand spawned{command_result(path, std::move(end), limits), {}};
      if (started) {
        spawned.report =
            std::make_shared<const SubprocessReport>(complete(self->plan_->report, *started));
      }
      self->runs_.erase(key);
      on_end(std::move(spawned));
    });
    if (closed_) run->stop(CommandEnd::Stopped::kCancelled);
  }

  CommandService& service_;
  asio::io_context& io_;
  BlockingExecutor& blocking_;
  const std::shared_ptr<const Authority> authority_;
  std::mutex mutex_;
  std::optional<CommandSandbox> plan_;
  std::atomic<bool> closed_{false};

  // The I/O thread's.
  std::map<std::uint64_t, std::shared_ptr<CommandRun>> runs_;
  std::uint64_t last_run_ = 0;
};

// What the caller holds; the session itself lives as long as its commands.
class Handle final : public CommandSession {
 public:
  explicit Handle(std::shared_ptr<Session> session) : session_(std::move(session)) {}
  ~Handle() override { session_->close(); }
  void start(CheckedCommand command, OnEnd on_end) override {
    session_->start(std::move(command), std::move(on_end));
  }
  void close() override { session_->close(); }

 private:
  std::shared_ptr<Session> session_;
};

}  // namespace

CommandService::CommandService(asio::io_context& io, BlockingExecutor& blocking,
                               CommandServiceOptions options)
    : io_(io), blocking_(blocking), options_(std::move(options)) {}

std::shared_ptr<CommandSession> CommandService::open_session(
    std::shared_ptr<const Authority> authority) {
  return std::make_shared<Handle>(
      std::make_shared<Session>(*this, io_, blocking_, std::move(authority)));
}

Result<const CommandHost*, SandboxFailure> CommandService::host() {
  const std::lock_guard lock(mutex_);
  if (!host_) {
    auto control_groups = ControlGroups::detect();
    if (!control_groups) return SandboxFailure{"cgroup", control_groups.error()};
    host_ = CommandHost{.bubblewrap = options_.bubblewrap,
                        .launcher = options_.launcher,
                        .privileged = is_privileged(),
                        .counts_by_namespace = counts_processes_by_namespace(),
                        .control_groups = *std::move(control_groups)};
  }
  return &*host_;
}

}  // namespace cordon
