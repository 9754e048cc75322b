// The host has no memory for what a guest makes large: that call or operation ends for it, in those
// words, nothing else is harmed, and once there is some again the same runtime works on.

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include "actors/or_unavailable.h"
#include "tests/support/sanitized.h"
#include "tests/system/own_process.h"
#include "tests/system/world.h"

using namespace cordon;
using namespace cordon::test;

namespace {

constexpr const char* kWords = "the host is out of memory";
constexpr const char* kLimit = "raise the limit of data (RLIMIT_DATA, ulimit -d, now ";
constexpr std::size_t kMebibyte = std::size_t{1} << 20;

// This process can have so much more, beside what it has reserved already.
void leave_data(std::size_t bytes) {
  std::ifstream status("/proc/self/status");
  std::string name;
  while (status >> name && name != "VmData:") continue;
  std::size_t used_kib = 0;
  require(static_cast<bool>(status >> used_kib), "no VmData");
  set_soft_limit(0, RLIMIT_DATA, used_kib * 1024 + bytes);
}

void leave_all_data() { set_soft_limit(0, RLIMIT_DATA, RLIM_INFINITY); }

bool skipped() {
  if (kSanitized) WARN("skipped: a sanitizer needs data of its own");
  return kSanitized;
}

bool is_out_of_memory(const Outcome& outcome) {
  return outcome.status == Status::kTerminated &&
         outcome.error->message.starts_with(
             std::string("The sandbox was terminated by its host: ") + kWords + "; " + kLimit);
}

bool tells(const World& world, const std::string& capability, const std::string& reason) {
  return std::ranges::any_of(world.events(), [&](const SandboxAuditEvent& event) {
    return event.capability == capability && event.outcome == SandboxAuditEvent::Outcome::kError &&
           event.reason == reason;
  });
}

// Does `call` with ever more memory until it `is_good`; before that, the host must
// have been out of it at least twice, and said so.
void run_with_more(World& world, const std::function<void()>& call,
                   const std::function<bool()>& is_good) {
  std::size_t lost = 0;
  bool good = false;
  for (std::size_t mebibytes = 4; !good; mebibytes += 4) {
    require(mebibytes < 400, "it never fits");
    leave_data(mebibytes * kMebibyte);
    call();
    leave_all_data();
    good = is_good();
    if (!good) ++lost;
    require_ok(world.run(kOne));
  }
  require(lost > 1, std::to_string(lost) + " lost");
}

constexpr std::size_t kLargeBytes = 7000000;

struct Operation {
  const char* capability;
  std::string source;  // of get(argument), which gives a text
  AISandboxOptions options;
  std::string small;  // for one byte
  std::string large;  // for kLargeBytes
  std::string asked_for;
};

// The size of its text, or its error.
std::string said_by(World& world, const Operation& operation, const std::string& argument) {
  const Outcome outcome =
      world.run(operation.source +
                    "export default async (argument: string) => {"
                    "  try { return (await get(argument)).length; }"
                    "  catch (error) { return error.name + ': ' + error.message; } };",
                operation.options, "[" + nlohmann::json(argument).dump() + "]");
  return outcome.status == Status::kOk ? outcome.result->json() : describe(outcome);
}

void run_operation(World& world, const Operation& operation) {
  // What is made at the first use is made now.
  std::string said = said_by(world, operation, operation.small);
  require(said == "1", said);
  run_with_more(
      world, [&] { said = said_by(world, operation, operation.large); },
      [&] {
        if (said == std::to_string(kLargeBytes)) return true;
        require(said.starts_with("\"Error: " + operation.asked_for) &&
                    said.ends_with(std::string(" failed: ") + kWords + "\""),
                said);
        return false;
      });
  require(tells(world, operation.capability, kWords), world.all_event_text());
}

}  // namespace

TEST_CASE("out of memory for a result, wherever it is held: the call is terminated for that") {
  if (skipped()) return;
  CHECK(in_own_process([] {
          AISandboxOptions options;
          options.resources.max_result_bytes = 16 * kMebibyte;
          World world;
          require_ok(world.run(kOne));
          Outcome outcome;
          run_with_more(
              world,
              [&] { outcome = world.run("export default () => 'q'.repeat(15000000);", options); },
              [&] {
                if (outcome.status == Status::kOk) return true;
                require(is_out_of_memory(outcome), describe(outcome));
                return false;
              });
          require(tells(world, "execute", "terminated by the host, which is out of memory"),
                  world.all_event_text());
        }) == kGood);
}

TEST_CASE("out of memory for an operation: it fails for that, and the host goes on") {
  if (skipped()) return;
  CHECK(in_own_process([] {
          const ScratchDirectory scratch;
          AISandboxOptions options;
          options.filesystem = SandboxFilesystemGrant{{scratch.path()}, {}};
          options.resources.max_read_bytes = 9000000;
          World world;
          run_operation(world, {.capability = "filesystem.read",
                                .source = "import { readText } from 'fino:ai/sandbox/capabilities';"
                                          "const get = (path) => readText(path);",
                                .options = options,
                                .small = scratch.write("small", "x"),
                                .large = scratch.write("large", std::string(kLargeBytes, 'x')),
                                .asked_for = "Filesystem read"});
        }) == kGood);
}

TEST_CASE("out of memory for what a tool gives: it fails for that, and the host goes on") {
  if (skipped()) return;
  CHECK(in_own_process([] {
          AISandboxOptions options;
          options.resources.max_tool_bytes = 9000000;
          options.tools = {{.specifier = "app",
                            .description = {},
                            .tools = {{.name = "text",
                                       .description = {},
                                       .parameters = R"({"type": "object"})",
                                       .handler = answer_with([](const ToolCall& call) {
                                         return std::string(
                                             call.arguments().at("size").get<std::size_t>(), 'x');
                                       })}}}};
          World world;
          run_operation(world, {.capability = "tool",
                                .source = "import { text } from 'app';"
                                          "const get = (size) => text({ size: Number(size) });",
                                .options = options,
                                .small = "1",
                                .large = std::to_string(kLargeBytes),
                                .asked_for = "Tool"});
        }) == kGood);
}

TEST_CASE("out of memory for what a command prints: it fails for that, and the host goes on") {
  if (skipped()) return;
  check_or_skip(in_own_process([] {
                  AISandboxOptions options;
                  options.resources.max_process_output_bytes = 9000000;
                  options.subprocess.emplace().commands = {"/bin/sh"};
                  const Operation operation{
                      .capability = "subprocess",
                      .source =
                          "import { spawn } from 'fino:ai/sandbox/capabilities';"
                          "const get = async (size) => (await spawn('/bin/sh', ['-c',"
                          "    `printf %${size}d 0`])).stdout;",
                      .options = options,
                      .small = "1",
                      .large = std::to_string(kLargeBytes),
                      .asked_for = "Subprocess"};
                  World world;
                  if (said_by(world, operation, operation.small).find("SandboxDeniedError") !=
                      std::string::npos)
                    throw std::runtime_error(kSkip);
                  run_operation(world, operation);
                }),
                "commands");
}

// Hidden: where many take what is left at the same time, one may have none for a few bytes, which
// ends the host (docs/security.md).
TEST_CASE("out of memory for many operations at a time: each has its answer, or the call an end",
          "[.soak]") {
  if (skipped()) return;
  CHECK(in_own_process([] {
          const ScratchDirectory scratch;
          AISandboxOptions options;
          options.filesystem = SandboxFilesystemGrant{{scratch.path()}, {}};
          options.resources.max_read_bytes = 9000000;
          const std::string file = scratch.write("file", std::string(4000000, 'x'));
          constexpr const char* kRead =
              "import { readText } from 'fino:ai/sandbox/capabilities';"
              "export default async (path: string) => {"
              "  const all = await Promise.allSettled(Array.from({ length: 30 },"
              "      async () => (await readText(path)).length));"
              "  const bad = all.filter((each) => each.status === 'rejected');"
              "  const other = bad.find((each) => !each.reason.message.endsWith("
              "      'failed: the host is out of memory'));"
              "  return other ? String(other.reason) : bad.length; };";
          const std::string arguments = "[" + nlohmann::json(file).dump() + "]";
          World world;
          require_ok(
              world.run(kRead, options, "[" + nlohmann::json(scratch / "none").dump() + "]"));
          Outcome outcome;
          run_with_more(
              world, [&] { outcome = world.run(kRead, options, arguments); },
              [&] {
                if (is_out_of_memory(outcome)) return false;
                require_ok(outcome);
                require(outcome.result->json().find('"') == std::string::npos,
                        outcome.result->json());
                return outcome.result->json() == "0";
              });
        }) == kGood);
}

TEST_CASE("out of memory where a runtime is used: it is unavailable, with the remedy") {
  CHECK(in_own_process([] {
          set_soft_limit(0, RLIMIT_DATA, std::size_t{1} << 40);
          try {
            or_unavailable([]() -> int { throw std::bad_alloc(); });
          } catch (const Unavailable& why) {
            require(std::string(why.what())
                        .starts_with(std::string("This host cannot enforce the sandbox: memory: ") +
                                     kWords + ". " + kLimit),
                    why.what());
            return;
          }
          throw std::runtime_error("nothing was thrown");
        }) == kGood);
}
