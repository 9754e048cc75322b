#include <unistd.h>

#include <cordon/sandbox.h>

#include <fstream>
#include <optional>

#include "cli/doctor/program_checks.h"

namespace cordon::doctor {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One spawn for each attempt: what the probe wrote, its signal, or why it was not run.
constexpr const char* kSpawnEach = R"ts(
  import { spawn } from 'fino:ai/sandbox/capabilities';
  export default async (probe: string, attempts: string[][]) => {
    const ends: object[] = [];
    for (const words of attempts) {
      try {
        const { stdout, signal } = await spawn(probe, ['command', ...words]);
        ends.push({ said: stdout, signal });
      } catch (error: any) {
        ends.push({ capability: String(error.capability), message: String(error.message) });
      }
    }
    return ends;
  };
)ts";

struct Mechanism {
  const char* name;
  const char* made_of;
  std::vector<std::vector<std::string>> tries;
};

std::vector<Mechanism> mechanisms(const HostBait& bait) {
  return {
      {"files",
       "mount view, Landlock",
       {{"open", bait.file()}, {"open", bait.private_file()}, {"open", "/etc/shadow"}}},
      {"read-only view",
       "read-only mounts, Landlock",
       {{"create", "/x"}, {"create", "/usr/lib/x"}, {"append", "/proc/self/comm"}}},
      {"network",
       "network namespace, seccomp",
       {{"connect", bait.port()}, {"internet socket"}, {"raw socket"}}},
      {"local sockets",
       "seccomp, network namespace",
       {{"local socket"}, {"connect abstract", bait.socket()}}},
      {"programs",
       "mount view, Landlock, seccomp",
       {{"execute", "/bin/sh"}, {"execute", "/cordon/launch"}, {"memory file"}}},
      {"other processes",
       "PID namespace, seccomp",
       {{"signal all"}, {"trace"}, {"read memory", "1"}, {"see process", bait.process()}}},
      {"shared memory", "IPC namespace", {{"shared memory", bait.memory()}}},
      {"kernel",
       "seccomp",
       {{"mount", "/"},
        {"namespace"},
        {"keys"},
        {"bpf"},
        {"io_uring"},
        {"userfaultfd"},
        {"perf"},
        {"type into terminal"}}},
      {"privileges",
       "user id, capabilities, seccomp",
       {{"become root"}, {"make device"}, {"set user id"}, {"capabilities"}}},
      {"other call tables", "seccomp", {{"x32 table"}, {"32-bit table"}}},
      {"descriptors", "close_range", {{"descriptors", "3"}}},
      {"environment", "execve", {{"environment", HostBait::kVariable}}},
      {"process limit", "processes", {{"forks", "200"}}},
  };
}

struct Spawned {
  std::vector<json> ends;
  SubprocessReport report;
  std::string failure;  // of the program that spawns: nothing was learnt
};

Spawned spawn(Runtime& runtime, const fs::path& probe,
              const std::vector<std::vector<std::string>>& attempts,
              const SandboxProcessPolicy& policy = {}) {
  AISandboxOptions options;
  auto& grant = options.subprocess.emplace();
  grant.commands = {probe.string()};
  grant.sandbox = policy;
  options.resources.max_operations = attempts.size();
  options.resources.wall_clock_ms = 300'000;
  try {
    AISandbox sandbox(runtime, kSpawnEach, options);
    const Outcome outcome =
        sandbox.call(Value::from_json(json::array({probe.string(), attempts}).dump()));
    if (outcome.status != Status::kOk) return {{}, {}, outcome.error->message};
    const json ends = outcome.result->view();
    return {std::vector<json>(ends.begin(), ends.end()),
            outcome.subprocess.value_or(SubprocessReport{}), ""};
  } catch (const InvalidOption& error) {
    return {{}, {}, error.what()};
  }
}

// Why the strict sandbox refused a command: "mechanism: what failed; remedy".
std::optional<std::string> refusal(const json& end) {
  if (!end.contains("message") || end["capability"] != "subprocess") return std::nullopt;
  const std::string message = end["message"];
  constexpr std::string_view kBefore = "on this host: ";
  const auto at = message.find(kBefore);
  return at == std::string::npos ? message : message.substr(at + kBefore.size());
}

void add(Attempts& attempts, const std::string& name, const json& end) {
  if (end.contains("said")) {
    const std::string by =
        end["signal"].is_null() ? "" : "SIG" + std::string(::sigabbrev_np(end["signal"]));
    return attempts.add(name, end["said"].get<std::string>(), by);
  }
  const std::string capability = end["capability"];
  if (capability.starts_with("resource.")) return attempts.add(name, "", capability);
  attempts.add(name, "reached nothing: " + end["message"].get<std::string>(), "");
}

std::string wall(const SubprocessReport& report, const std::string& name) {
  for (const auto& each : report.walls) {
    if (each.name == name) return each.mechanism;
  }
  return "";
}

void miss(Finding& finding, const std::string& why) {
  finding.state = State::kMissing;
  const auto colon = why.find(": ");
  finding.mechanism = why.substr(0, colon);
  finding.detail = colon == std::string::npos ? why : why.substr(colon + 2);
  // The message says what can be done about it.
  finding.remedy = finding.detail;
}

// A limit that not every host can enforce: `name` of a report, stopped as `attempt` says.
Finding check_limit(Runtime& runtime, const fs::path& probe, const char* name, const char* report,
                    bool required, const SandboxProcessPolicy& policy,
                    const std::vector<std::string>& attempt) {
  Finding finding{.group = "command", .name = name, .tried = attempt[0], .required = required};
  const Spawned spawned = spawn(runtime, probe, {attempt}, policy);
  if (spawned.ends.empty()) {
    finding.detail = spawned.failure;
    return finding;
  }
  if (const auto why = refusal(spawned.ends[0])) {
    miss(finding, *why);
    return finding;
  }
  Attempts attempts;
  add(attempts, attempt[0], spawned.ends[0]);
  attempts.conclude(finding);
  finding.mechanism = wall(spawned.report, report);
  return finding;
}

bool any_process_with(const std::string& text) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    std::ifstream file(entry.path() / "cmdline");
    std::string line;  // not by iterators, which throw when the process ends in the middle
    std::getline(file, line);
    if (line.find(text) != std::string::npos) return true;
  }
  return false;
}

Finding check_daemon(Runtime& runtime, const fs::path& probe) {
  Finding finding{.group = "command",
                  .name = "lifetime",
                  .tried = "leave a daemon behind",
                  .mechanism = "PID namespace"};
  const std::string mark = "cordon-doctor-daemon-" + std::to_string(::getpid());
  const Spawned spawned = spawn(runtime, probe, {{"daemon", mark}});
  const bool left = !spawned.ends.empty() && spawned.ends[0].contains("said") &&
                    spawned.ends[0]["said"].get<std::string>().starts_with("stopped left behind");
  if (!left) {
    finding.detail = "no daemon could be left";
    return finding;
  }
  const bool gone = !any_process_with(mark);
  finding.state = gone ? State::kHeld : State::kBroken;
  finding.detail = gone ? "killed with its namespace" : "it still runs";
  if (!gone) finding.remedy = kBrokenRemedy;
  return finding;
}

// That the probe runs at all, and can do what is allowed.
std::optional<Finding> check_start(Runtime& runtime, const fs::path& probe) {
  Finding finding{.group = "command", .name = "start", .tried = "run a granted command"};
  const Spawned spawned = spawn(runtime, probe, {{"open", "/proc/self/status"}});
  if (!spawned.ends.empty() && spawned.ends[0].value("said", "").starts_with("reached")) {
    return std::nullopt;
  }
  const auto why = spawned.ends.empty() ? std::nullopt : refusal(spawned.ends[0]);
  miss(finding, why                    ? *why
                : spawned.ends.empty() ? "command: " + spawned.failure
                                       : "command: " + spawned.ends[0].dump());
  return finding;
}

}  // namespace

Findings check_commands(Runtime& runtime, const fs::path& probe, const HostBait& bait) {
  if (auto failed = check_start(runtime, probe)) return {*std::move(failed)};
  const auto all = mechanisms(bait);
  std::vector<std::vector<std::string>> tries;
  for (const Mechanism& each : all) tries.insert(tries.end(), each.tries.begin(), each.tries.end());
  const Spawned spawned = spawn(runtime, probe, tries);

  Findings findings;
  std::size_t at = 0;
  for (const Mechanism& each : all) {
    Finding finding{.group = "command", .name = each.name, .tried = "", .mechanism = each.made_of};
    Attempts attempts;
    for (const auto& words : each.tries) {
      const json end = at < spawned.ends.size()
                           ? spawned.ends[at]
                           : json{{"capability", ""}, {"message", spawned.failure}};
      add(attempts, words[0], end);
      ++at;
    }
    attempts.conclude(finding);
    if (const std::string walls = wall(spawned.report, each.made_of); !walls.empty()) {
      finding.mechanism = walls;
    }
    findings.push_back(std::move(finding));
  }

  SandboxProcessPolicy limited;
  limited.mode = SandboxProcessPolicy::Mode::kBestEffort;
  limited.resources.memory_bytes = 64 << 20;
  findings.push_back(
      check_limit(runtime, probe, "memory limit", "memory", true, limited, {"memory", "96"}));
  limited.mode = SandboxProcessPolicy::Mode::kStrict;
  findings.push_back(check_limit(runtime, probe, "memory over the tree", "memory", false, limited,
                                 {"memory", "96"}));
  limited.resources = {};
  limited.resources.pids = 5;
  findings.push_back(check_limit(runtime, probe, "processes over the tree", "processes", false,
                                 limited, {"forks", "20"}));
  limited.resources = {};
  limited.resources.cpu = 0.1;
  findings.push_back(
      check_limit(runtime, probe, "CPU over the tree", "cpu", false, limited, {"burn"}));
  findings.push_back(check_daemon(runtime, probe));
  return findings;
}

}  // namespace cordon::doctor
