#include <cordon/sandbox.h>

#include "cli/doctor/program_checks.h"

namespace cordon::doctor {

namespace {

// Returns the names of what it got in spite of having no grant.
constexpr const char* kAskForAll = R"ts(
  import * as host from 'fino:ai/sandbox/capabilities';
  export default async (file: string, url: string) => {
    const got: string[] = [];
    const ask = async (name: string, action: () => Promise<unknown>) => {
      try { await action(); got.push(name); }
      catch (error) { if (!(error instanceof host.SandboxDeniedError)) got.push(name); }
    };
    await ask('environment', () => host.environment('PATH'));
    await ask('secret', () => host.secret('PATH'));
    await ask('readText', () => host.readText(file));
    await ask('writeText', () => host.writeText(file, ''));
    await ask('fetchText', () => host.fetchText(url));
    await ask('spawn', () => host.spawn('/bin/sh', []));
    return got;
  };
)ts";

constexpr const char* kReachOut = R"ts(
  export default async () => {
    const got: string[] = [];
    for (const name of ['node:fs', 'fs', 'file:///etc/passwd', 'data:text/javascript,1']) {
      try { await import(name); got.push('import ' + name); } catch {}
    }
    for (const name of ['process', 'require', 'fetch', 'WebSocket', 'WebAssembly', 'Worker',
                        'SharedArrayBuffer', 'Deno', 'Bun']) {
      if (name in globalThis) got.push(name);
    }
    return got;
  };
)ts";

Finding concluded(const char* name, const char* tried, const char* mechanism, bool held,
                  const std::string& detail) {
  Finding finding{.group = "program", .name = name, .tried = tried, .mechanism = mechanism};
  finding.state = held ? State::kHeld : State::kBroken;
  finding.detail = detail;
  if (!held) finding.remedy = kBrokenRemedy;
  return finding;
}

Outcome run(Runtime& runtime, const char* source, const AISandboxOptions& options = {},
            const std::string& arguments = "[]") {
  return AISandbox(runtime, source, options).call(Value::from_json(arguments));
}

std::string said(const Outcome& outcome) {
  if (outcome.status == Status::kOk) return "it returned " + outcome.result->json();
  return std::string(to_string(outcome.status)) + ": " + outcome.error->message;
}

// The program's result is a list of what it got, which has to be empty.
Finding nothing_gained(const char* name, const char* tried, const char* mechanism,
                       const Outcome& outcome) {
  const bool held = outcome.status == Status::kOk && outcome.result->json() == "[]";
  return concluded(name, tried, mechanism, held, held ? "refused" : said(outcome));
}

Finding ends_as(Status expected, const char* name, const char* tried, const char* mechanism,
                const Outcome& outcome) {
  return concluded(name, tried, mechanism, outcome.status == expected, said(outcome));
}

}  // namespace

Findings check_programs(Runtime& runtime, const HostBait& bait) {
  const auto targets =
      nlohmann::json::array({bait.file(), "http://127.0.0.1:" + bait.port()}).dump();
  Findings findings{nothing_gained("capabilities", "use all six without a grant", "broker",
                                   run(runtime, kAskForAll, {}, targets)),
                    nothing_gained("imports and globals", "import and find what is the host's",
                                   "engine", run(runtime, kReachOut))};
  AISandboxOptions limited;
  limited.resources.wall_clock_ms = 500;
  findings.push_back(ends_as(Status::kTimeout, "wall clock", "loop for ever", "SIGKILL",
                             run(runtime, "export default () => { for (;;) {} };", limited)));
  limited = {};
  limited.resources.max_cpu_ms = 100;
  findings.push_back(ends_as(Status::kCpuLimit, "CPU limit", "loop for ever", "SIGKILL",
                             run(runtime, "export default () => { for (;;) {} };", limited)));
  limited = {};
  limited.resources.max_memory_bytes = 48 << 20;
  findings.push_back(ends_as(
      Status::kOutOfMemory, "memory limit", "allocate for ever", "RLIMIT_DATA, heap limit",
      run(runtime,
          "export default () => { const a = []; for (;;) a.push(new Array(999).fill(a.length)); };",
          limited)));
  return findings;
}

}  // namespace cordon::doctor
