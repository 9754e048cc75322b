#include "cli/doctor/layer_checks.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>
#include <system_error>

#include "actors/process/spawn_plan.h"
#include "actors/process/start_failure.h"

namespace cordon::doctor {

namespace {

constexpr int kPatienceMs = 20'000;
constexpr std::size_t kMaxOutput = 64 << 10;

struct Layer {
  const char* name;
  const char* tried;
};

constexpr Layer kLayers[] = {
    {"user namespace", "use the rights of the host's user"},
    {"mount view", "open a file that everybody may read"},
    {"network namespace", "connect to a loopback listener"},
    {"abstract sockets", "connect to a local listener"},
    {"IPC namespace", "attach shared memory of the host"},
    {"PID namespace", "signal a process of the host"},
    {"UTS namespace", "rename the host"},
    {"cgroup namespace", "see the host's control groups"},
    {"capabilities", "mount a file system"},
    {"no new privileges", "get capabilities by executing"},
    {"landlock read", "open a file that everybody may read"},
    {"landlock write", "open an own file for writing"},
    {"seccomp", "make a call that is not listed"},
    {"executable memory", "map writable, executable memory"},
    {"memory limit", "map more than the limit"},
    {"descriptor limit", "open one more descriptor"},
    {"file size limit", "write to an own file"},
    {"locked memory limit", "lock a page of memory"},
    {"no core dumps", "crash and leave memory on disk"},
    {"no inspection", "read memory as the same user"},
};

// The probe, with `out` as its standard output and nothing else; -1 when it cannot be executed.
// What is copied for it is closed when this returns.
pid_t start_probe(const std::filesystem::path& probe, std::vector<std::string> arguments, int out) {
  SpawnPlan plan;
  plan.pass_nothing(STDIN_FILENO);
  if (!plan.pass(out, STDOUT_FILENO, STDERR_FILENO + 1)) return -1;
  plan.pass_nothing(STDERR_FILENO);
  plan.close_from(STDERR_FILENO + 1);
  plan.detach_signals();
  arguments.insert(arguments.begin(), "cordon-probe");
  std::vector<char*> texts;
  for (std::string& text : arguments) texts.push_back(text.data());
  texts.push_back(nullptr);
  char* environment[] = {nullptr};
  pid_t pid = -1;
  errno = plan.spawn(&pid, probe.c_str(), texts.data(), environment);
  return errno == 0 ? pid : -1;
}

// What the probe would say if it could: errno says why it was not started.
std::string not_started() {
  const auto want = want_of_resources(
      {errno, std::generic_category()},
      std::string("starting cordon-probe failed: ") + std::generic_category().message(errno));
  if (!want) return "";
  return "missing\t" + want->mechanism + "\t" + want->message + "\t" + want->remedy;
}

// Standard output of the probe; empty when it could not be run or said nothing in time.
std::string run_probe(const std::filesystem::path& probe, std::vector<std::string> arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return not_started();
  const UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  const pid_t pid = start_probe(probe, std::move(arguments), to.get());
  if (pid < 0) return not_started();
  to.reset();
  std::string said;
  std::array<char, 4096> buffer{};
  for (pollfd readable{from.get(), POLLIN, 0};
       said.size() < kMaxOutput && ::poll(&readable, 1, kPatienceMs) == 1;) {
    const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
    if (count <= 0) break;
    said.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::kill(pid, SIGKILL);  // in case it hangs
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  while (said.ends_with('\n')) said.pop_back();
  return said;
}

Finding judge(const Layer& layer, const std::string& said) {
  Finding finding{.group = "alone", .name = layer.name, .tried = layer.tried};
  std::istringstream fields(said);
  std::string word;
  std::getline(fields, word, '\t');
  std::getline(fields, finding.mechanism, '\t');
  std::getline(fields, finding.detail, '\t');
  std::getline(fields, finding.remedy, '\t');
  if (word == "held") {
    finding.state = State::kHeld;
  } else if (word == "broken") {
    finding.state = State::kBroken;
    finding.remedy = kBrokenRemedy;
  } else if (word == "missing") {
    finding.state = State::kMissing;
  } else if (word == "needless") {
    // A container's profile, say, that forbids the same.
    finding.state = State::kHeld;
    finding.detail += ", here even without it";
  } else {
    finding.state = State::kMissing;
    finding.mechanism = "cordon-probe";
    finding.detail = "it did not answer";
    finding.remedy = "install the cordon-probe of this build beside cordon-engine";
  }
  return finding;
}

}  // namespace

Findings check_layers(const std::filesystem::path& probe, const HostBait& bait) {
  Findings findings;
  for (const Layer& layer : kLayers) {
    findings.push_back(
        judge(layer, run_probe(probe, {"layer", layer.name, bait.file(), bait.private_file(),
                                       bait.port(), bait.socket(), bait.memory()})));
  }
  return findings;
}

}  // namespace cordon::doctor
