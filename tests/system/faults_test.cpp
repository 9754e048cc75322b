// The host runs out of something: calls end with an error that says of what, nothing else is
// harmed, and once there is some again the same runtime works on.
//
// For commands, see command_faults_test.cpp.

#include <catch2/catch.hpp>

#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "audit/verify.h"
#include "tests/support/forked_process.h"
#include "tests/support/sanitized.h"
#include "tests/system/killer.h"
#include "tests/system/own_process.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using namespace cordon::test;

namespace {

constexpr const char* kAnotherUser = "to become another user, who can execute the engine";
constexpr const char* kProcesses = "limit of processes (pids cgroup, RLIMIT_NPROC)";
constexpr const char* kMounts = "to mount a file system of its own";

AISandboxOptions writing(const std::string& directory) {
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{{directory}, {directory}};
  return options;
}

constexpr const char* kWrite =
    "import { writeText } from 'fino:ai/sandbox/capabilities';"
    "export default async (path: string) => {"
    "  try { await writeText(path, 'x'.repeat(100000)); return 'written'; }"
    "  catch (error) { return error.name + ': ' + error.message; } };";

}  // namespace

TEST_CASE("out of descriptors: calls say so, and work again when there are some") {
  if (kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  CHECK(in_own_process([] {
          World world(RuntimeOptions{.max_concurrent_calls = 32, .spare_children = 0});
          require_ok(world.run(kOne));
          leave_descriptors(0);
          require_unavailable(world.run(kOne), "raise the limit of open files");
          std::vector<std::unique_ptr<AISandbox>> sandboxes;
          std::vector<std::future<Outcome>> calls;
          for (int i = 0; i < 32; ++i) {
            sandboxes.push_back(std::make_unique<AISandbox>(world.runtime, kOne));
            calls.push_back(sandboxes.back()->call_async());
          }
          for (auto& call : calls) {
            const Outcome outcome = call.get();
            require(outcome.status == Status::kOk || outcome.status == Status::kUnavailable,
                    describe(outcome));
          }
          leave_all_descriptors();
          for (int i = 0; i < 5; ++i) require_ok(world.run(kOne));
        }) == kGood);
}

TEST_CASE("out of descriptors at any step of a start: it says so, and leaves nothing open") {
  if (test::kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  CHECK(in_own_process([] {
          { const World world; }  // what the process opens once stays open
          const std::size_t before = test::count_descriptors();
          bool started = false;
          for (std::size_t more = 0; !started; ++more) {
            leave_descriptors(more);
            try {
              const World world;
              started = true;
            } catch (const Unavailable& why) {
              require(std::string(why.what()).ends_with("raise the limit of open files"),
                      why.what());
            }
            leave_all_descriptors();
            require(test::count_descriptors() == before, "descriptors are left open");
          }
        }) == kGood);
}

TEST_CASE("out of descriptors anywhere in a call: whatever it is granted, that is what is said") {
  if (kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  CHECK(in_own_process([] {
          const ScratchDirectory scratch;
          AISandboxOptions network;
          network.network.emplace().origins = {"https://localhost:1"};
          AISandboxOptions commands;
          commands.subprocess.emplace().commands = {"/bin/sh"};
          const struct {
            const char* what;
            const char* source;
            AISandboxOptions options;
            std::string argument;
          } kinds[] = {
              {"a file", kWrite, writing(scratch.path()), scratch / "file"},
              {"the network",
               "import { fetchText } from 'fino:ai/sandbox/capabilities';"
               "export default async (url: string) => {"
               "  try { await fetchText(url); return 'fetched'; }"
               "  catch (error) { return error.name + ': ' + error.message; } };",
               network, "https://localhost:1/"},
              {"a command that it does not use", "export default (x: string) => x;", commands, ""},
          };
          World world(RuntimeOptions{.spare_children = 0});
          require_ok(world.run(kOne));
          for (const auto& kind : kinds) {
            const std::string arguments = "[" + nlohmann::json(kind.argument).dump() + "]";
            const auto said = [&]() -> std::string {
              try {
                const Outcome outcome = world.run(kind.source, kind.options, arguments);
                return outcome.status == Status::kOk ? outcome.result->json() : describe(outcome);
              } catch (const Unavailable& why) {
                return why.what();
              }
            };
            // First without any, since what is made at the first use must be made then, too.
            std::vector<std::string> starved;
            for (std::size_t more = 0; more < 10; ++more) {
              leave_descriptors(more);
              starved.push_back(said());
              leave_all_descriptors();
            }
            const std::string good = said();
            std::size_t bad = 0;
            for (const std::string& text : starved) {
              if (text == good) continue;
              ++bad;
              require(text.ends_with("raise the limit of open files") ||
                          text.ends_with("failed: too many open files\""),
                      std::string(kind.what) + ": " + text);
            }
            require(bad > 1 && bad < starved.size(),
                    std::string(kind.what) + ": starved " + std::to_string(bad) + " times");
          }
        }) == kGood);
}

TEST_CASE("out of descriptors for some calls: the others do not notice") {
  if (test::kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  CHECK(in_own_process([] {
          constexpr std::size_t kCalls = 40;
          World world(RuntimeOptions{.max_concurrent_calls = kCalls, .spare_children = 0});
          require_ok(world.run(kOne));
          for (const std::size_t more : {9U, 20U, 31U}) {
            leave_descriptors(more);
            std::vector<std::unique_ptr<AISandbox>> sandboxes;
            std::vector<std::future<Outcome>> calls;
            for (std::size_t i = 0; i < kCalls; ++i) {
              sandboxes.push_back(std::make_unique<AISandbox>(
                  world.runtime,
                  "export default () => new Promise((resolve) => setTimeout(resolve, 300));"));
              calls.push_back(sandboxes.back()->call_async());
            }
            std::size_t good = 0;
            for (auto& call : calls) {
              const Outcome outcome = call.get();
              if (outcome.status == Status::kOk) {
                ++good;
              } else {
                require_unavailable(outcome, "raise the limit of open files");
              }
            }
            require(good > 0 && good < kCalls, std::to_string(good) + " calls ran");
          }
          leave_all_descriptors();
          require_ok(world.run(kOne));
        }) == kGood);
}

TEST_CASE("nearly out of descriptors: whichever is the one too many, it is not the guest's fault") {
  if (test::kSanitized) {
    WARN("skipped: a sanitizer needs descriptors of its own");
    return;
  }
  CHECK(in_own_process([] {
          World world(RuntimeOptions{.spare_children = 0});
          require_ok(world.run(kOne));
          for (std::size_t more = 0; more < 10; ++more) {
            leave_descriptors(more);
            const Outcome outcome = world.run(kOne);
            leave_all_descriptors();
            require(outcome.status == Status::kOk || outcome.status == Status::kUnavailable,
                    std::to_string(more) + " more: " + describe(outcome));
            if (outcome.status == Status::kUnavailable)
              require_unavailable(outcome, "limit of open files");
          }
          require_ok(world.run(kOne));
        }) == kGood);
}

TEST_CASE("out of descriptors at the start: the runtime is unavailable, with the remedy") {
  CHECK(in_own_process([] {
          leave_descriptors(2);
          try {
            const World world;
          } catch (const Unavailable& problem) {
            require(std::string(problem.what()).find("limit of open files") != std::string::npos,
                    problem.what());
            leave_all_descriptors();
            require_ok(World().run(kOne));
            return;
          }
          throw std::runtime_error("it started");
        }) == kGood);
}

TEST_CASE("out of processes: calls say so, and work again when there may be some") {
  CHECK(in_own_process([] {
          World world(RuntimeOptions{.spare_children = 0});
          require_ok(world.run(kOne));
          const pid_t zygote = test::zygote();
          require(zygote > 0, "no zygote");
          set_soft_limit(zygote, RLIMIT_NPROC, 0);
          require_unavailable(world.run(kOne), "raise the limit of processes");
          require_unavailable(world.run(kOne), "raise the limit of processes");
          set_soft_limit(zygote, RLIMIT_NPROC, RLIM_INFINITY);
          require_ok(world.run(kOne));
          require(test::zygote() == zygote, "the zygote was replaced");
        }) == kGood);
}

TEST_CASE("out of processes at any step of a start: it says so, soon") {
  if (kSanitized) {
    WARN("skipped: a sanitizer has threads of its own");
    return;
  }
  std::string said;
  for (rlim_t limit = 1; said != "ran" && limit < 2000; ++limit) {
    said = in_forked_process([&]() -> std::string {
      become_lonely_user();
      ::alarm(60);
      set_soft_limit(0, RLIMIT_NPROC, limit);
      try {
        RuntimeOptions options;
        options.resolve_host = [](const std::string&) { return std::vector<std::string>(); };
        options.audit.durability = AuditDurability::kGroup;
        World world(options);
        const Outcome outcome = world.run(kOne);
        if (outcome.status == Status::kOk) return "ran";
        require_unavailable(outcome, kProcesses);
      } catch (const Unavailable& why) {
        require(std::string(why.what()).find(kProcesses) != std::string::npos, why.what());
      }
      return kGood;
    });
    if (said == kSkip) return check_or_skip(said, kAnotherUser);
    INFO("with " << limit);
    REQUIRE((said == kGood || said == "ran" ? kGood : said) == kGood);
  }
  CHECK(said == "ran");
}

TEST_CASE("out of threads for a tool: it fails for that, and works when there may be some") {
  if (kSanitized) {
    WARN("skipped: a sanitizer has threads of its own");
    return;
  }
  check_or_skip(
      in_own_process([] {
        become_lonely_user();
        World world;
        AISandboxOptions options;
        options.tools = {{.specifier = "app",
                          .description = {},
                          .tools = {{.name = "f",
                                     .description = {},
                                     .handler = answer_with([](const ToolCall&) { return 1; })}}}};
        constexpr const char* kUse =
            "import { f } from 'app'; export default async () => await f({});";
        require_ok(world.run(kOne));
        set_soft_limit(0, RLIMIT_NPROC, 0);
        const Outcome outcome = world.run(kUse, options);
        require(outcome.status == Status::kError &&
                    outcome.error->message == "Tool failed: the host has no thread for it; " +
                                                  std::string("raise the ") + kProcesses,
                describe(outcome));
        const auto events = world.events();
        const auto event = std::find_if(events.begin(), events.end(),
                                        [](const auto& each) { return each.capability == "tool"; });
        require(event != events.end() && to_string(event->outcome) == std::string("error") &&
                    event->target == "app#f" && event->reason == "the host has no thread for it",
                world.all_event_text());
        set_soft_limit(0, RLIMIT_NPROC, RLIM_INFINITY);
        require_ok(world.run(kUse, options));
      }),
      kAnotherUser);
}

TEST_CASE("out of threads to replace a zygote or a compiler: calls say so until there are some") {
  if (kSanitized) {
    WARN("skipped: a sanitizer has threads of its own");
    return;
  }
  check_or_skip(in_own_process([] {
                  become_lonely_user();
                  World world(RuntimeOptions{.spare_children = 0});
                  require_ok(world.run(kOne));
                  set_soft_limit(0, RLIMIT_NPROC, 0);
                  require(test::kill_compilers() && ::kill(test::zygote(), SIGKILL) == 0,
                          "nothing was killed");
                  require_unavailable(world.run(kOne), kProcesses);
                  require_unavailable(world.run("export default () => 2 as number;"), kProcesses);
                  set_soft_limit(0, RLIMIT_NPROC, RLIM_INFINITY);
                  require_ok(world.run("export default () => 3 as number;"));
                }),
                kAnotherUser);
}

TEST_CASE("a full disk: writing fails with a plain error, and the file keeps its old text") {
  const ScratchDirectory scratch;
  check_or_skip(in_own_process([&] {
                  enter_mount_namespace();
                  mount_small(scratch.path(), "size=256k");
                  World world;
                  const std::string path = scratch.write("target.txt", "old");
                  const std::string arguments = "[\"" + path + "\"]";
                  fill(scratch / "filler");
                  const Outcome full = world.run(kWrite, writing(scratch.path()), arguments);
                  require_ok(full);
                  require(full.result->json().starts_with("\"Error: Filesystem write of ") &&
                              full.result->json().find("no space left") != std::string::npos,
                          full.result->json());
                  require(scratch.read("target.txt") == "old", "the old text is gone");
                  std::filesystem::remove(scratch / "filler");
                  require(world.run(kWrite, writing(scratch.path()), arguments).result->json() ==
                              "\"written\"",
                          "it does not recover");
                  std::size_t files = 0;
                  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
                    files += entry.path().empty() ? 0U : 1U;
                  }
                  require(files == 1, "a temporary file is left");
                }),
                kMounts);
}

TEST_CASE("a full disk: without audit no run, and the log goes on where it was") {
  const ScratchDirectory scratch;
  check_or_skip(in_own_process([&] {
                  enter_mount_namespace();
                  mount_small(scratch.path(), "size=64k");
                  const std::string log = scratch / "audit.log";
                  std::string head;
                  {
                    World world(RuntimeOptions{.audit_file = log});
                    require_ok(world.run(kOne));
                    fill(scratch / "filler");
                    // What is left of the log's last block takes some events.
                    Outcome outcome = world.run(kOne);
                    for (int i = 0; i < 100 && outcome.status == Status::kOk; ++i)
                      outcome = world.run(kOne);
                    require(outcome.status == Status::kAuditFailed, describe(outcome));
                    require(world.run(kOne).status == Status::kAuditFailed,
                            "the next call was not stopped");
                    std::filesystem::remove(scratch / "filler");
                    require_ok(world.run(kOne));
                    head = world.runtime.audit_head();
                  }
                  const VerifyReport report = verify_log(log, {.expected_head = head});
                  require(report.good(), report.problem ? report.problem->message : "");
                }),
                kMounts);
}

TEST_CASE("a full /tmp is nothing to Cordon") {
  check_or_skip(in_own_process([] {
                  // The programs may themselves be beneath /tmp.
                  const auto engines =
                      std::filesystem::read_symlink("/proc/self/exe").parent_path();
                  RuntimeOptions options{.engine_directory = "/mnt"};
                  enter_mount_namespace();
                  if (::mount(engines.c_str(), "/mnt", nullptr, MS_BIND, nullptr) != 0) {
                    throw std::runtime_error(kSkip);
                  }
                  mount_small("/tmp", "size=64k");
                  fill("/tmp/filler");
                  World world(options);
                  for (int i = 0; i < 3; ++i) require_ok(world.run(kOne));
                }),
                kMounts);
}

TEST_CASE("a limit of data below what a call may use: the host's fault, and what needs less runs") {
  if (test::kSanitized) {
    WARN("skipped: a sanitizer needs data of its own");
    return;
  }
  CHECK(in_own_process([] {
          // Hard: only then can the child's own not be higher.
          const rlimit limit{rlim_t{512} << 20, rlim_t{512} << 20};
          require(::setrlimit(RLIMIT_DATA, &limit) == 0, "setrlimit failed");
          World world;
          AISandboxOptions large;
          large.resources.max_memory_bytes = std::uint64_t{1} << 30;
          require_unavailable(world.run(kOne, large), "raise the limit of data (RLIMIT_DATA");
          AISandboxOptions small;
          small.resources.max_memory_bytes = std::uint64_t{64} << 20;
          require_ok(world.run(kOne, small));
        }) == kGood);
}

TEST_CASE("out of memory: the kernel takes an engine process before the host") {
  const auto score = [](pid_t pid) {
    int value = -1;
    std::ifstream("/proc/" + std::to_string(pid) + "/oom_score_adj") >> value;
    return value;
  };
  constexpr int kMost = 1000;
  const World world;
  const int own = score(::getpid());
  REQUIRE(own >= -kMost);
  CHECK(score(zygote()) == std::min(kMost, own + 500));
}
