// The host runs out of something while it starts a command: the command is refused with what is
// missing, nothing of it is left, and once there is some again the same runtime works on.

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "capabilities/process/control_group.h"
#include "tests/support/sanitized.h"
#include "tests/support/shell.h"
#include "tests/system/own_process.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using namespace cordon::test;

namespace {

constexpr const char* kCommands = "commands and a mount of its own";

// Says so before it asks for the command.
constexpr const char* kSpawn =
    "import { spawn } from 'fino:ai/sandbox/capabilities';"
    "export default async (script: string) => {"
    "  console.log('now'); return (await spawn('/bin/sh', ['-c', script])).stdout; };";

Outcome run_script(World& world, const std::string& script, ProgramOptions program = {},
                   const std::string& writable = {}) {
  AISandboxOptions options;
  options.subprocess.emplace().commands = {"/bin/sh"};
  if (!writable.empty()) options.subprocess->sandbox.filesystem.writable = {writable};
  return world.run(kSpawn, options, "[" + nlohmann::json(script).dump() + "]", std::move(program));
}

void require_said(const Outcome& outcome, const std::string& text) {
  require_ok(outcome);
  require(outcome.result->json() == nlohmann::json(text).dump(), outcome.result->json());
}

void skip_without_commands(World& world) {
  if (run_script(world, ":").status != Status::kOk) throw std::runtime_error(kSkip);
}

// Everything has been reaped.
void require_no_child() {
  require(::waitpid(-1, nullptr, __WALL | WNOHANG) < 0 && errno == ECHILD, "a process is left");
}

// Either it worked, or it says what there was too little of.
void require_ok_or_refused(const Outcome& outcome, const std::string& words) {
  if (outcome.status == Status::kOk) return;
  require((outcome.status == Status::kDenied || outcome.status == Status::kUnavailable) &&
              outcome.error->message.find(words) != std::string::npos,
          describe(outcome));
}

}  // namespace

TEST_CASE("out of descriptors anywhere in the start of a command: refused, and nothing is left") {
  if (kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  check_or_skip(in_own_process([] {
                  {
                    World world(RuntimeOptions{.spare_children = 1});
                    skip_without_commands(world);
                    int refused = 0;
                    int worked = 0;
                    for (std::size_t room = 0; room < 40; ++room) {
                      ProgramOptions program;
                      program.on_console = [&](std::string_view, std::string_view) {
                        leave_descriptors(room);
                      };
                      const Outcome outcome = run_script(world, "echo x", program);
                      leave_all_descriptors();
                      ++(outcome.status == Status::kOk ? worked : refused);
                      require_ok_or_refused(outcome, "raise the limit of open files");
                      require_said(run_script(world, "echo y"), "y\n");
                    }
                    require(refused > 5 && worked > 5, std::to_string(refused) + " refused, " +
                                                           std::to_string(worked) + " worked");
                  }
                  require_no_child();
                  require(control_groups().empty(), "a control group is left");
                }),
                kCommands);
}

TEST_CASE("control groups that cannot be looked for are no reason to do without them") {
  if (kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  CHECK(in_own_process([] {
          const bool any =
              ControlGroups::detect()->mechanism(ControlGroups::Controller::kPids).has_value();
          leave_descriptors(0);
          const auto starved = ControlGroups::detect();
          leave_all_descriptors();
          require(!starved && starved.error().find("open files") != std::string::npos,
                  "it did not say what was missing");
          require(
              any ==
                  ControlGroups::detect()->mechanism(ControlGroups::Controller::kPids).has_value(),
              "it does not recover");
        }) == kGood);
}

namespace {

// Lets this process have no more processes and threads than it has: by a control group as root, for
// whom RLIMIT_NPROC means nothing.
class NoMoreProcesses {
 public:
  NoMoreProcesses() {
    if (::geteuid() != 0) {
      set_soft_limit(0, RLIMIT_NPROC, 1);
      return;
    }
    group_ = "/sys/fs/cgroup/pids/cordon-test-" + std::to_string(::getpid());
    std::error_code error;
    if (!std::filesystem::create_directory(group_, error)) throw std::runtime_error(kSkip);
    write(group_ + "/cgroup.procs", "0");
    write(group_ + "/pids.max", "1");  // more are there: it forbids new ones
  }
  ~NoMoreProcesses() { end(); }
  void end() {
    if (::geteuid() != 0) return set_soft_limit(0, RLIMIT_NPROC, RLIM_INFINITY);
    if (group_.empty()) return;
    write("/sys/fs/cgroup/pids/cgroup.procs", "0");
    std::error_code ignored;
    std::filesystem::remove(std::exchange(group_, ""), ignored);
  }

 private:
  static void write(const std::string& file, const std::string& text) {
    std::ofstream(file) << text;
  }
  std::string group_;
};

}  // namespace

TEST_CASE("out of processes: commands are refused, and run again when there may be some") {
  check_or_skip(in_own_process([] {
                  {
                    World world(RuntimeOptions{.spare_children = 1});
                    skip_without_commands(world);
                    std::optional<NoMoreProcesses> limit;
                    ProgramOptions program;
                    program.on_console = [&](std::string_view, std::string_view) {
                      limit.emplace();
                    };
                    const Outcome outcome = run_script(world, "echo x", program);
                    limit.reset();
                    require(outcome.status == Status::kDenied, describe(outcome));
                    require_ok_or_refused(outcome, "raise the limit of processes");
                    require_said(run_script(world, "echo y"), "y\n");
                  }
                  require_no_child();
                }),
                "commands, and as root a control group of version 1");
}

TEST_CASE("a full disk: commands run, and see it") {
  const ScratchDirectory scratch;
  check_or_skip(
      in_own_process([&] {
        enter_mount_namespace();
        mount_small(scratch.path(), "size=256k,mode=0777");
        World world;
        skip_without_commands(world);
        fill(scratch / "filler");
        const std::string script = "cd " + shell_word(scratch.path().string()) +
                                   " && echo some text > file && echo written || echo full";
        require_said(run_script(world, script + " 2> /dev/null", {}, scratch.path()), "full\n");
        std::filesystem::remove(scratch / "filler");
        require_said(run_script(world, script, {}, scratch.path()), "written\n");
      }),
      kCommands);
}

TEST_CASE("a full /tmp is nothing to commands") {
  check_or_skip(in_own_process([] {
                  // The programs may themselves be beneath /tmp.
                  const auto engines =
                      std::filesystem::read_symlink("/proc/self/exe").parent_path();
                  enter_mount_namespace();
                  if (::mount(engines.c_str(), "/mnt", nullptr, MS_BIND, nullptr) != 0) {
                    throw std::runtime_error(kSkip);
                  }
                  mount_small("/tmp", "size=64k");
                  fill("/tmp/filler");
                  World world(RuntimeOptions{.engine_directory = "/mnt"});
                  skip_without_commands(world);
                  for (int i = 0; i < 3; ++i) require_said(run_script(world, "echo x"), "x\n");
                }),
                kCommands);
}
