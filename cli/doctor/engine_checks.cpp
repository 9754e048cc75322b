#include "cli/doctor/engine_checks.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include <future>
#include <memory>

#include "actors/process/io_thread.h"
#include "actors/process/pidfd.h"
#include "actors/process/zygote_client.h"
#include "messages/frame.h"
#include "messages/session.capnp.h"

namespace cordon::doctor {

namespace {

constexpr int kPatienceMs = 20'000;
constexpr std::uint64_t kMemoryBytes = 64 << 20;
constexpr const char* kMemoryAttempt = "128";  // MiB

struct Try {
  const char* name;
  std::string argument;
};

struct Mechanism {
  const char* name;
  const char* made_of;
  std::vector<Try> tries;
};

std::vector<Mechanism> mechanisms(const HostBait& bait) {
  return {
      {"files",
       "mount view, Landlock, seccomp",
       {{"open", bait.file()}, {"open", "/"}, {"append", bait.private_file()}}},
      {"read-only root", "mount view, seccomp", {{"create", "/x"}, {"memory file", ""}}},
      {"network",
       "network namespace, seccomp",
       {{"connect", bait.port()}, {"connect abstract", bait.socket()}, {"raw socket", ""}}},
      {"programs", "seccomp", {{"execute", "/bin/sh"}, {"fork", ""}}},
      {"other processes",
       "PID namespace, seccomp",
       {{"signal", "1"},
        {"signal all", ""},
        {"trace", ""},
        {"read memory", "1"},
        {"see process", bait.process()}}},
      {"code in memory", "seccomp", {{"write and execute", ""}}},
      {"kernel",
       "seccomp",
       {{"mount", "/"},
        {"namespace", ""},
        {"keys", ""},
        {"bpf", ""},
        {"io_uring", ""},
        {"userfaultfd", ""},
        {"perf", ""}}},
      {"privileges", "seccomp", {{"become root", ""}, {"make device", ""}, {"capabilities", ""}}},
      {"other call tables", "seccomp", {{"x32 table", ""}, {"32-bit table", ""}}},
      {"descriptors", "close_range", {{"descriptors", "1"}}},
      {"environment", "execve", {{"environment", HostBait::kVariable}}},
      {"limits", "seccomp", {{"raise limit", ""}}},
      {"memory limit", "RLIMIT_DATA", {{"memory", kMemoryAttempt}}},
  };
}

Result<ChildProcess, StartFailure> fork_child(ZygoteClient& client) {
  std::promise<Result<ChildProcess, StartFailure>> promise;
  auto future = promise.get_future();
  client.fork([&](auto child) { promise.set_value(std::move(child)); });
  return future.get();
}

// What the child says of one attempt; empty when it has died over it, or says nothing.
std::string ask(const ChildProcess& child, const Try& attempt) {
  const int channel = child.channel.get();
  if (::fcntl(channel, F_SETFL, 0) != 0) return "";
  const std::string code = std::string(attempt.name) + "\t" + attempt.argument;
  const auto job = Message<wire::HostFrame>::build(
      [&](wire::HostFrame::Builder frame) { frame.initJob().setCode(code); });
  if (!write_frame(channel, job)) return "";
  pollfd readable{channel, POLLIN, 0};
  if (::poll(&readable, 1, kPatienceMs) != 1) return "";
  const Message<wire::ChildFrame> answer(read_frame(channel, 1 << 16));
  if (answer.empty()) return "";
  const auto view = answer.read();
  if (!view->isResult()) return "";
  const auto bytes = view->getResult();
  return {reinterpret_cast<const char*>(bytes.begin()), bytes.size()};
}

// How a child died over its attempt: the filter's answer, or the kernel's.
std::string death(const ProcessEnd& end) {
  if (end.signal == 0 || end.signal == SIGKILL) return "";
  const char* const name = ::sigabbrev_np(end.signal);
  return "SIG" + std::string(name != nullptr ? name : std::to_string(end.signal));
}

void attack(Attempts& attempts, ZygoteClient& client, const Try& attempt) {
  auto child = fork_child(client);
  if (!child) return attempts.add(attempt.name, "reached no child: " + child.error().message, "");
  // As for each call, before its job.
  const rlim_t bytes = child->base_data_bytes + kMemoryBytes;
  const rlimit limit{bytes, bytes};
  if (::prlimit(child->pid, RLIMIT_DATA, &limit, nullptr) != 0) {
    attempts.add(attempt.name, "reached a child that cannot be limited", "");
  } else {
    const std::string said = ask(*child, attempt);
    if (!said.empty()) send_signal(child->pidfd.get(), SIGKILL);
    pollfd ended{child->pidfd.get(), POLLIN, 0};
    if (::poll(&ended, 1, kPatienceMs) != 1) send_signal(child->pidfd.get(), SIGKILL);
    const ProcessEnd end = reap(child->pidfd.get());
    attempts.add(attempt.name, said, death(end));
    return;
  }
  send_signal(child->pidfd.get(), SIGKILL);
  reap(child->pidfd.get());
}

// A child outlives neither the zygote's owner nor its namespace.
Finding check_lifetime(std::unique_ptr<ZygoteClient> client, IoThread& io) {
  Finding finding{.group = "engine",
                  .name = "lifetime",
                  .tried = "go on when the host is gone",
                  .mechanism = "PID namespace, lifeline"};
  auto child = fork_child(*client);
  if (!child) {
    finding.detail = child.error().message;
    finding.remedy = child.error().remedy;
    return finding;
  }
  io.stop();
  client.reset();
  child->lease.reset();
  const bool gone = has_ended(child->pidfd.get());
  finding.state = gone ? State::kHeld : State::kBroken;
  finding.detail = gone ? "killed with its namespace" : "it still runs";
  if (!gone) {
    finding.remedy = kBrokenRemedy;
    send_signal(child->pidfd.get(), SIGKILL);
  }
  return finding;
}

}  // namespace

Findings check_engine(const std::filesystem::path& probe, const HostBait& bait) {
  Findings findings;
  IoThread io;
  auto client = ZygoteClient::start(io.context(), {.executable = probe});
  if (!client) {
    const StartFailure& failure = client.error();
    findings.push_back({"engine", "start", "start the lockdown as a whole", State::kMissing, true,
                        failure.mechanism, failure.message, failure.remedy});
    return findings;
  }
  for (const Mechanism& mechanism : mechanisms(bait)) {
    Attempts attempts;
    for (const Try& each : mechanism.tries) attack(attempts, **client, each);
    Finding finding{
        .group = "engine", .name = mechanism.name, .tried = "", .mechanism = mechanism.made_of};
    attempts.conclude(finding);
    findings.push_back(std::move(finding));
  }
  findings.push_back(check_lifetime(std::move(*client), io));
  return findings;
}

}  // namespace cordon::doctor
