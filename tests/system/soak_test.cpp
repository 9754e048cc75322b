// Many calls while processes are killed at random: every call is answered, with its own outcome or
// with one that a killed process explains, and nothing is left over.

#include <catch2/catch.hpp>

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "tests/support/sanitized.h"
#include "tests/system/killer.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using namespace std::chrono_literals;
using test::World;

namespace {

constexpr std::size_t kInFlight = 12;

struct Kind {
  const char* source;  // called with its number
  Status status;
  bool is_command = false;
};

constexpr std::array kKinds{
    Kind{"export default (n: number) => n + 1;", Status::kOk},
    Kind{"export default (n: number) => { throw new TypeError('n' + n); };", Status::kError},
    Kind{"export default () => { for (;;) {} };", Status::kTimeout},
    Kind{"import { secret } from 'fino:ai/sandbox/capabilities';"
         "export default () => secret('NONE');",
         Status::kDenied},
    Kind{"import { readText, writeText } from 'fino:ai/sandbox/capabilities';"
         "export default async (n: number, path: string) => {"
         "  await writeText(path, 'text of ' + n);"
         "  return (await readText(path)) === 'text of ' + n ? n + 1 : -1;"
         "};",
         Status::kOk},
    Kind{"export default (n: number) => { let x: = n };", Status::kCompileError},
    Kind{"export default async (n: number) => {"
         "  for (let i = 0; i < 20; ++i) await new Promise(done => setTimeout(done, 1));"
         "  console.log('n', n); return n + 1; };",
         Status::kOk},
    Kind{"export default () => { const all: string[] = [];"
         "  for (;;) all.push('x'.repeat(1 << 20) + all.length); };",
         Status::kOutOfMemory},
    Kind{"import { spawn } from 'fino:ai/sandbox/capabilities';"
         "export default async (n: number) =>"
         "  (await spawn('/bin/echo', [`${n}`])).stdout === `${n}\\n` ? n + 1 : -1;",
         Status::kOk, true},
    // Leaves a daemon, and some output on its way.
    Kind{"import { spawn } from 'fino:ai/sandbox/capabilities';"
         "export default async (n: number) => {"
         "  const script = `(trap '' TERM HUP; while :; do /bin/sleep 1; done) & exec /bin/sleep "
         "0.02`;"
         "  const [one, two] = await Promise.all(["
         "    spawn('/bin/sh', ['-c', script]), spawn('/bin/sh', ['-c', `exit ${n % 100}`])]);"
         "  return one.code === 0 && two.code === n % 100 ? n + 1 : -1; };",
         Status::kOk, true},
};

// Where commands cannot be run, they are left out.
std::size_t usable_kinds(World& world) {
  AISandboxOptions options;
  options.subprocess.emplace().commands = {"/bin/echo"};
  const Outcome outcome = world.run(kKinds[8].source, options, "[1]");
  if (outcome.status == Status::kOk) return kKinds.size();
  WARN("skipped: calls with commands: " + outcome.error->message);
  return kKinds.size() - 2;
}

struct InFlight {
  int number;
  const Kind& kind;
  std::unique_ptr<AISandbox> sandbox;
  std::future<Outcome> outcome;
};

InFlight begin(World& world, const test::ScratchDirectory& scratch, int number, const Kind& kind) {
  AISandboxOptions options;
  if (kind.is_command) {
    options.subprocess.emplace().commands = {"/bin/echo", "/bin/sh", "/bin/sleep"};
    options.subprocess->timeout_ms = 120'000;
  }
  options.filesystem = SandboxFilesystemGrant{{scratch.path()}, {scratch.path()}};
  options.resources.wall_clock_ms = kind.status == Status::kTimeout ? 30 : 120'000;
  options.resources.max_memory_bytes = std::uint64_t{32} << 20;
  auto sandbox = std::make_unique<AISandbox>(
      world.runtime, std::string(kind.source) + " // " + std::to_string(number), options);
  const std::string name = scratch / (std::to_string(number) + ".txt");
  auto outcome =
      sandbox->call_async(Value::from_json("[" + std::to_string(number) + ",\"" + name + "\"]"));
  return {number, kind, std::move(sandbox), std::move(outcome)};
}

bool is_right(int number, const Kind& kind, const Outcome& outcome) {
  if (outcome.status != kind.status) return false;
  if (outcome.status == Status::kOk) return outcome.result->json() == std::to_string(number + 1);
  if (outcome.status == Status::kError) {
    return outcome.error->message == "n" + std::to_string(number);
  }
  return true;
}

// What a guest is told whose command's sandbox was killed, while it was built or later.
bool is_killed_command(const Kind& kind, const Outcome& outcome) {
  if (!kind.is_command || !outcome.error) return false;
  const std::string& said = outcome.error->message;
  return outcome.status == Status::kDenied
             ? said.find("bubblewrap: it ended before the sandbox stood") != std::string::npos
             : said.find("its sandbox was killed from outside") != std::string::npos;
}

struct Tally {
  int right = 0;
  int crashed = 0;
  int not_compiled = 0;
  int unavailable = 0;
  int killed_commands = 0;
  int wrong = 0;

  void count(InFlight& call) {
    if (call.outcome.wait_for(300s) != std::future_status::ready) {
      FAIL("call " << call.number << " has no answer");
    }
    const Outcome outcome = call.outcome.get();
    if (is_right(call.number, call.kind, outcome)) {
      ++right;
    } else if (outcome.status == Status::kCrashed && outcome.signal == SIGKILL) {
      ++crashed;
    } else if (outcome.status == Status::kCompileError &&
               outcome.error->message.find("TypeScript compiler ended") != std::string::npos) {
      ++not_compiled;  // killed, and killed again over the same source
    } else if (outcome.status == Status::kUnavailable) {
      ++unavailable;  // the zygote was killed at each of its starts
    } else if (is_killed_command(call.kind, outcome)) {
      ++killed_commands;
    } else {
      ++wrong;
      UNSCOPED_INFO(call.number << ": " << to_string(outcome.status) << " "
                                << (outcome.error ? outcome.error->message : ""));
    }
  }
};

// While it lives, whatever loses its parent becomes this process's child, and is reaped by nobody.
struct Heir {
  Heir() { REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0); }
  ~Heir() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
  // Waits (bounded) for all to have died. False: something lives on.
  bool bury() const {
    for (const auto until = std::chrono::steady_clock::now() + 20s;
         std::chrono::steady_clock::now() < until;) {
      const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
      if (pid < 0) return errno == ECHILD;
      if (pid == 0) std::this_thread::sleep_for(5ms);
    }
    return false;
  }
};

// Directory for temporary files, seen by this process alone.
class TemporaryFiles {
 public:
  TemporaryFiles() { REQUIRE(::setenv("TMPDIR", directory_.path().c_str(), 1) == 0); }
  ~TemporaryFiles() { ::unsetenv("TMPDIR"); }
  bool none_left() const { return std::filesystem::is_empty(directory_.path()); }

 private:
  test::ScratchDirectory directory_;
};

void check_counts(const Tally& tally, const test::Killer& killer, int calls, bool commands) {
  WARN(calls << " calls: " << tally.right << " as without kills, " << tally.crashed << " crashed, "
             << tally.not_compiled << " not compiled, " << tally.killed_commands
             << " with a killed command, " << tally.unavailable << " unavailable; killed: "
             << killer.children_killed() << " children, " << killer.zygotes_killed() << " zygotes, "
             << killer.compilers_killed() << " compilers, " << killer.inits_killed() << " inits, "
             << killer.commands_killed() << " sandboxes of commands");
  CHECK(tally.wrong == 0);
  // Each dead init takes as many calls along as there may be at once.
  CHECK(tally.crashed <=
        killer.children_killed() + killer.inits_killed() * static_cast<int>(kInFlight));
  CHECK(tally.not_compiled + tally.unavailable <= calls / 50);
  CHECK(tally.killed_commands <= killer.commands_killed());
  CHECK(killer.children_killed() > 0);
  CHECK(killer.zygotes_killed() > 0);
  CHECK(killer.compilers_killed() > 0);
  if (commands) CHECK(killer.commands_killed() > 0);
}

void soak(int calls) {
  const Heir heir;
  const auto descriptors = test::count_descriptors();
  const auto threads = test::count_threads();
  {
    const test::ScratchDirectory scratch;
    const TemporaryFiles temporary;
    World world;
    const std::size_t kinds = usable_kinds(world);
    const std::size_t before = world.events().size();
    Tally tally;
    std::deque<InFlight> in_flight;
    test::Killer killer(20ms, 1);
    for (int number = 0; number < calls; ++number) {
      if (in_flight.size() == kInFlight) {
        tally.count(in_flight.front());
        in_flight.pop_front();
        killer.done();
      }
      const Kind& kind = kKinds.at(static_cast<std::size_t>(number) % kinds);
      in_flight.push_back(begin(world, scratch, number, kind));
    }
    for (auto& call : in_flight) tally.count(call);
    killer.stop();
    check_counts(tally, killer, calls, kinds == kKinds.size());

    // It recovers at once, and each call has had its one last event.
    CHECK(world.run("export default () => 1;").status == Status::kOk);
    std::size_t executed = 0;
    const auto events = world.events();
    for (std::size_t i = before; i < events.size(); ++i) {
      executed += events[i].capability == "execute" ? 1U : 0U;
    }
    CHECK(executed == static_cast<std::size_t>(calls) + 1);
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
      CHECK(entry.path().extension() == ".txt");  // no half-written file
    }
    CHECK(temporary.none_left());
  }
  CHECK(heir.bury());
  CHECK(test::children().empty());
  CHECK(test::control_groups().empty());
  CHECK(test::count_descriptors() == descriptors);
  if (!test::kSanitized) CHECK(test::count_threads() == threads);  // it has one of its own
}

}  // namespace

TEST_CASE("killed children, zygotes, compilers and commands cost their own calls alone", "[load]") {
  soak(1000);
}

TEST_CASE("20,000 calls under random kills", "[.soak]") { soak(20'000); }
