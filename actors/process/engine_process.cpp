#include "actors/process/engine_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "actors/process/pidfd.h"
#include "actors/process/spawn_plan.h"
#include "messages/build_id.h"
#include "messages/descriptor_passing.h"
#include "messages/spawn.capnp.h"

namespace cordon {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kZygoteRole = "zygote";  // keeps its control channel
constexpr int kControlTarget = 3;
constexpr int kLifelineTarget = 4;
constexpr int kFirstExtraTarget = 5;

bool plan_descriptors(SpawnPlan& plan, const EngineProcessOptions& options, int control,
                      int lifeline) {
  const int end = kFirstExtraTarget + static_cast<int>(options.extra_descriptors.size());
  const auto pass_or_nothing = [&](int source, int target) {
    if (source >= 0) return plan.pass(source, target, end);
    plan.pass_nothing(target);
    return true;
  };
  bool planned = pass_or_nothing(options.standard_input, STDIN_FILENO) &&
                 pass_or_nothing(options.standard_output, STDOUT_FILENO) &&
                 pass_or_nothing(-1, STDERR_FILENO) && plan.pass(control, kControlTarget, end) &&
                 plan.pass(lifeline, kLifelineTarget, end);
  for (int target = kFirstExtraTarget; planned && target < end; ++target) {
    const auto index = static_cast<std::size_t>(target - kFirstExtraTarget);
    planned = plan.pass(options.extra_descriptors[index], target, end);
  }
  plan.close_from(end);
  return planned;
}

// The pid of the launcher.
Result<pid_t, StartFailure> spawn_launcher(const EngineProcessOptions& options, int control,
                                           int lifeline) {
  SpawnPlan plan;
  if (!plan_descriptors(plan, options, control, lifeline)) {
    return system_failure("descriptors", "copying a descriptor failed", errno);
  }
  plan.detach_signals();
  std::vector<std::string> texts{"cordon-engine"};
  texts.insert(texts.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  // Children inherit it: constants only.
  std::string environment_texts[] = {"LD_BIND_NOW=1", "TZ=UTC", "LC_ALL=C"};
  std::vector<char*> environment;
  for (std::string& text : environment_texts) environment.push_back(text.data());
  environment.push_back(nullptr);

  pid_t pid = -1;
  const int error =
      plan.spawn(&pid, options.executable.c_str(), arguments.data(), environment.data());
  if (error == 0) return pid;
  return system_failure("engine executable", "executing " + options.executable.string() + " failed",
                        error, "install cordon-engine where the host looks for it");
}

// True when `fd` has something to say before `deadline`.
bool wait_readable(int fd, Clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd item{fd, POLLIN, 0};
    const int ready = ::poll(&item, 1, static_cast<int>(std::clamp<long>(left, 0, 1 << 30)));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

std::string describe(const ProcessEnd& end) {
  if (!end.known) return "the engine ended while it started";
  if (end.signal != 0) {
    return "the engine died of signal " + std::to_string(end.signal) + " while it started";
  }
  return "the engine exited with status " + std::to_string(end.code) + " while it started";
}

EngineReady to_ready(wire::Ready::Reader ready) {
  return {ready.getEngine().cStr(), ready.getBuild().cStr(), ready.getDataBytes(),
          ready.getHugeTextBytes(), ready.getHugeDataBytes()};
}

StartFailure to_failure(wire::StartFailure::Reader failure) {
  return {failure.getMechanism().cStr(), failure.getMessage().cStr(), failure.getRemedy().cStr()};
}

}  // namespace

EngineProcess::EngineProcess(EngineProcess&& other) noexcept
    : control_(std::move(other.control_)),
      lifeline_(std::move(other.lifeline_)),
      init_(std::move(other.init_)),
      process_(std::move(other.process_)),
      group_(std::exchange(other.group_, -1)),
      ready_(std::move(other.ready_)) {}

EngineProcess& EngineProcess::operator=(EngineProcess&& other) noexcept {
  if (this == &other) return *this;
  stop();
  control_ = std::move(other.control_);
  lifeline_ = std::move(other.lifeline_);
  init_ = std::move(other.init_);
  process_ = std::move(other.process_);
  group_ = std::exchange(other.group_, -1);
  ready_ = std::move(other.ready_);
  return *this;
}

EngineProcess::~EngineProcess() { stop(); }

Result<EngineProcess, StartFailure> EngineProcess::start(const EngineProcessOptions& options) {
  int control[2];
  int lifeline[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    return system_failure("descriptors", "socketpair failed", errno);
  }
  EngineProcess engine;
  engine.control_.reset(control[0]);
  UniqueFd control_end(control[1]);
  if (::fcntl(control[0], F_SETFL, O_NONBLOCK) != 0 || ::pipe2(lifeline, O_CLOEXEC) != 0) {
    return system_failure("descriptors", "pipe2 failed", errno);
  }
  UniqueFd lifeline_end(lifeline[0]);
  engine.lifeline_.reset(lifeline[1]);

  const auto launcher = spawn_launcher(options, control_end.get(), lifeline_end.get());
  if (!launcher) return launcher.error();
  engine.group_ = *launcher;
  control_end.reset();
  lifeline_end.reset();
  const UniqueFd launcher_pidfd(static_cast<int>(::syscall(SYS_pidfd_open, *launcher, 0)));
  auto failure = engine.await_start(options);
  if (failure) send_signal(launcher_pidfd.get(), SIGKILL);
  const ProcessEnd launcher_end = reap(launcher_pidfd.get());
  if (!failure) return engine;
  if (failure->message.empty()) failure->message = describe(launcher_end);
  if (failure->mechanism == "engine") return name_memory_limits(*std::move(failure));
  return *std::move(failure);
}

std::optional<StartFailure> EngineProcess::await_start(const EngineProcessOptions& options) {
  const Clock::time_point deadline = Clock::now() + options.deadline;
  for (;;) {
    if (!wait_readable(control_.get(), deadline)) {
      return StartFailure{"engine", "the engine did not start in time",
                          "check the load of this machine"};
    }
    Packet packet = receive_packet(control_.get());
    if (packet.payload.empty()) {
      if (errno == EAGAIN) continue;
      if (errno == EMFILE) {
        return system_failure("descriptors", "receiving those of the engine failed", errno);
      }
      if (!process_) return StartFailure{"engine", "", "reinstall cordon-engine"};
      if (options.arguments.front() != kZygoteRole)
        return std::nullopt;  // has executed its service
      return StartFailure{"engine", describe(reap(process_.get())),
                          "check the machine's memory and the kernel log"};
    }
    const Message<wire::EngineFrame> message(std::move(packet.payload));
    const auto frame = message.read();
    switch (frame->which()) {
      case wire::EngineFrame::LAUNCHED:
        if (packet.descriptors.size() != 2) break;
        init_ = std::move(packet.descriptors[0]);
        process_ = std::move(packet.descriptors[1]);
        if (ready_) return std::nullopt;
        continue;
      case wire::EngineFrame::READY:
        ready_ = to_ready(frame->getReady());
        if (ready_->build != kBuildId) {
          return StartFailure{"engine build", "cordon-engine is of build " + ready_->build,
                              "install the one of build " + std::string(kBuildId)};
        }
        if (process_) return std::nullopt;
        continue;
      case wire::EngineFrame::FAILED:
        return to_failure(frame->getFailed());
      default:
        break;
    }
    return StartFailure{"engine", "the engine sent a frame out of place",
                        "reinstall cordon-engine"};
  }
}

void EngineProcess::stop() noexcept {
  control_.reset();
  lifeline_.reset();
  if (process_) send_signal(process_.get(), SIGKILL);
  if (init_) send_signal(init_.get(), SIGKILL);
  if (group_ > 0) {
    // The init cannot end before every process of its namespace is reaped, the unknown ones too.
    siginfo_t info{};
    while (::waitid(P_PGID, static_cast<id_t>(group_), &info, WEXITED | __WALL) == 0 ||
           errno == EINTR) {
    }
  }
  group_ = -1;
  process_.reset();
  init_.reset();
}

}  // namespace cordon
