// spawn() through the whole system: policy, sandbox, limits, cancellation and audit.

#include <catch2/catch.hpp>

#include <algorithm>
#include <future>
#include <string>

#include "capabilities/process/control_group.h"
#include "tests/support/shell.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using test::World;
using Lines = std::vector<std::string>;

namespace {

AISandboxOptions with_commands(std::vector<std::string> commands) {
  AISandboxOptions options;
  options.subprocess.emplace().commands = std::move(commands);
  return options;
}

constexpr const char* kSpawn = R"ts(
  import { spawn } from 'fino:ai/sandbox/capabilities';
  export default (command: string, args: string[]) => spawn(command, args);
)ts";

std::string arguments(const std::string& command, const std::vector<std::string>& texts) {
  return nlohmann::json::array({command, texts}).dump();
}

// Where no sandbox can be had, its tests are skipped, and say why.
bool can_run() {
  World world;
  const Outcome outcome =
      world.run(kSpawn, with_commands({"/bin/true"}), arguments("/bin/true", {}));
  if (outcome.status == Status::kOk) return true;
  WARN("skipped: " + outcome.error->message);
  return false;
}

constexpr const char* kEndless = "while :; do :; done";

}  // namespace

TEST_CASE("spawn runs a granted command and reports the walls around it") {
  if (!can_run()) return;
  World world;
  const Outcome outcome = world.run(kSpawn, with_commands({"/bin/sh"}),
                                    arguments("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"}));
  CHECK(outcome.value().view() == nlohmann::json::parse(R"({
    "code": 3, "signal": null, "stdout": "out\n", "stderr": "err\n"})"));
  REQUIRE(outcome.subprocess);
  CHECK(outcome.subprocess->missing.empty());
  CHECK(outcome.subprocess->walls.front().name == "namespaces");
  const auto events = world.events();
  REQUIRE(events.size() == 2);
  CHECK(world.event_lines() == Lines{"subprocess used /bin/sh", "execute used"});
  REQUIRE(events[0].reason);
  CHECK_THAT(*events[0].reason, Contains("namespaces: bubblewrap") && Contains("seccomp"));
  CHECK(events[0].bytes == 8);
}

TEST_CASE("a call ends in time though its command spins in many processes under a small share") {
  if (!can_run()) return;
  if (!ControlGroups::detect()->mechanism(ControlGroups::Controller::kCpu)) {
    WARN("skipped: no cpu control group here");
    return;
  }
  World world;
  auto options = with_commands({CORDON_COMMAND_TESTEE});
  options.subprocess->sandbox.resources.cpu = 0.01;
  options.resources.wall_clock_ms = 3000;
  const Outcome outcome =
      world.run(kSpawn, options, arguments(CORDON_COMMAND_TESTEE, {"spin_everywhere"}));
  CHECK(outcome.status == Status::kTimeout);
  CHECK(outcome.usage.wall_ms < 10'000);
  CHECK(test::control_groups().empty());  // they go when no process is in them
}

TEST_CASE("a signal and ill-formed output arrive as the contract says") {
  if (!can_run()) return;
  World world;
  const Outcome outcome =
      world.run(kSpawn, with_commands({"/bin/sh"}),
                arguments("/bin/sh", {"-c", "printf '\\357\\273\\277a\\377b'; kill -9 $$"}));
  CHECK(outcome.value().view() == nlohmann::json::parse(R"({
    "code": null, "signal": 9, "stdout": "a\ufffdb", "stderr": ""})"));
}

TEST_CASE("only the exact granted string runs") {
  if (!can_run()) return;
  World world;
  const Outcome outcome = world.run(R"ts(
    import { spawn } from 'fino:ai/sandbox/capabilities';
    export default async () => {
      const refused: string[] = [];
      for (const name of ['echo', '/bin/../bin/echo', '//bin/echo', '/bin/echo ', '/bin/echo\0', '',
                          '/usr/bin/echo']) {
        try { await spawn(name, ['x']); } catch (e: any) { refused.push(e.capability); }
      }
      try { await spawn('/bin/echo', ['a\0b']); } catch (e: any) { refused.push(e.capability); }
      return refused;
    };
  )ts",
                                    with_commands({"/bin/echo"}));
  CHECK(outcome.value().view() == nlohmann::json(Lines(8, "subprocess")));
  CHECK_FALSE(outcome.subprocess);
}

TEST_CASE("a command over its time is a denial of its own") {
  if (!can_run()) return;
  World world;
  auto options = with_commands({"/bin/sh"});
  options.subprocess->timeout_ms = 200;
  const Outcome outcome = world.run(kSpawn, options, arguments("/bin/sh", {"-c", kEndless}));
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "resource.wallClock");
  CHECK_THAT(outcome.denial->message, Contains("exceeded 200ms (subprocess.timeoutMs)"));
  CHECK(world.event_lines() == Lines{"resource.wallClock denied /bin/sh", "execute denied"});
  CHECK(world.events()[0].operation == "spawn");
}

TEST_CASE("output over its limit is a denial, and the command is killed") {
  if (!can_run()) return;
  World world;
  auto options = with_commands({"/bin/sh"});
  options.resources.max_process_output_bytes = 1000;
  const Outcome outcome =
      world.run(kSpawn, options, arguments("/bin/sh", {"-c", "while :; do echo x; done"}));
  CHECK(outcome.status == Status::kDenied);
  CHECK_THAT(outcome.denial->message, Contains("exceeds 1000 bytes"));
  CHECK(world.event_lines() == Lines{"resource.bytes denied /bin/sh", "execute denied"});
}

TEST_CASE("commands end with their call: by its result, its wall clock, its termination") {
  if (!can_run()) return;
  World world;
  const auto before = test::children();
  const auto options = with_commands({"/bin/sh"});
  const Outcome left = world.run(R"ts(
    import { spawn } from 'fino:ai/sandbox/capabilities';
    export default async () => { void spawn('/bin/sh', ['-c', 'while :; do :; done']); return 1; };
  )ts",
                                 options);
  CHECK(left.value().json() == "1");

  auto hasty = options;
  hasty.resources.wall_clock_ms = 400;
  const Outcome late = world.run(kSpawn, hasty, arguments("/bin/sh", {"-c", kEndless}));
  CHECK(late.status == Status::kTimeout);

  std::promise<void> asked;
  ProgramOptions program;
  program.on_console = [&](std::string_view, std::string_view) { asked.set_value(); };
  AISandbox sandbox(world.runtime, R"ts(
    import { spawn } from 'fino:ai/sandbox/capabilities';
    export default async () => {
      const command = spawn('/bin/sh', ['-c', 'while :; do :; done']);
      console.log('asked');
      await command;
    };
  )ts",
                    options, program);
  auto future = sandbox.call_async();
  asked.get_future().wait();
  sandbox.terminate();
  CHECK(future.get().status == Status::kTerminated);
  const auto lines = world.event_lines();
  CHECK(lines.back() == "execute error");
  CHECK(std::count(lines.begin(), lines.end(), "subprocess used /bin/sh") == 0);
  std::vector<pid_t> left_over;
  for (const pid_t child : test::children()) {
    if (std::find(before.begin(), before.end(), child) == before.end()) left_over.push_back(child);
  }
  // A spare of the engine may be new; nothing burns CPU.
  CHECK(left_over.size() <= 1);
}

TEST_CASE("the policy of commands reaches them: environment, roots, walls") {
  if (!can_run()) return;
  World world;
  test::ScratchDirectory tree;
  tree.write("in/note.txt", "note");
  auto options = with_commands({"/bin/sh", "/bin/cat"});
  options.filesystem = SandboxFilesystemGrant{.read = {tree / "in"}, .write = {}};
  options.subprocess->environment = {{"TOKEN", "tok-5up3r-9d41c7"}};
  options.secrets = {{"TOKEN", "tok-5up3r-9d41c7"}};
  options.subprocess->sandbox.process.allow_fork = false;
  const Outcome outcome = world.run(
      kSpawn, options,
      arguments("/bin/sh",
                {"-c", "echo $TOKEN; exec cat " + test::shell_word(tree / "in/note.txt")}));
  CHECK(outcome.value().view()["stdout"] == "tok-5up3r-9d41c7\nnote");
  CHECK_THAT(world.all_event_text(), !Contains("tok-5up3r"));
  const Outcome forks =
      world.run(kSpawn, options, arguments("/bin/sh", {"-c", "(:); echo forked"}));
  CHECK(forks.value().view()["stdout"] == "");
}

TEST_CASE("without the launcher every command is refused, and the rest works") {
  test::ScratchDirectory engines;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* const name : {"cordon-engine", "cordon-esbuild", "cordon-transpiler"}) {
    std::filesystem::create_symlink(beside / name, engines.path() / name);
  }
  World world(RuntimeOptions{.engine_directory = engines.path()});
  const Outcome outcome =
      world.run(kSpawn, with_commands({"/bin/echo"}), arguments("/bin/echo", {}));
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "subprocess");
  CHECK_THAT(outcome.denial->message,
             Contains("strict sandbox") && Contains("install cordon-launch"));
  CHECK(world.event_lines() == Lines{"subprocess denied /bin/echo", "execute denied"});
}

TEST_CASE("a launcher of another build refuses every command, and the audit says so") {
  if (!can_run()) return;
  test::ScratchDirectory engines;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* const name : {"cordon-engine", "cordon-esbuild", "cordon-transpiler"}) {
    std::filesystem::create_symlink(beside / name, engines.path() / name);
  }
  std::filesystem::create_symlink(CORDON_OTHER_BUILD_LAUNCH, engines.path() / "cordon-launch");
  World world(RuntimeOptions{.engine_directory = engines.path()});
  const Outcome outcome =
      world.run(kSpawn, with_commands({"/bin/echo"}), arguments("/bin/echo", {}));
  CHECK(outcome.status == Status::kDenied);
  CHECK(outcome.denial->capability == "subprocess");
  CHECK_THAT(outcome.denial->message, Contains("strict sandbox") && Contains("launcher build") &&
                                          Contains("install the one of build "));
  const auto events = world.events();
  REQUIRE(events.size() == 2);
  CHECK(world.event_lines() == Lines{"subprocess denied /bin/echo", "execute denied"});
  CHECK(events[0].reason == "strict sandbox not available: launcher build");
}
