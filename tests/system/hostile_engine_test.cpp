// A child that was taken over (tests/testees/hostile_engine.cpp) against the whole host: every call
// ends with the right outcome, the host stays bounded, and neighbours do not notice.

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <future>
#include <string>
#include <vector>

#include "tests/support/sanitized.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using test::World;

namespace {

RuntimeOptions hostile() {
  RuntimeOptions options;
  options.engine_directory = CORDON_HOSTILE_ENGINE_DIRECTORY;
  return options;
}

std::string source_of(const std::string& attack) {
  return "export default 'attack: " + attack + "!'";
}

AISandboxOptions grants(std::uint64_t wall_clock_ms = 20'000) {
  AISandboxOptions options;
  options.environment = {{"NAME", "value"}};
  options.network.emplace();
  options.network->origins = {"http://granted.example"};
  options.resources.wall_clock_ms = wall_clock_ms;
  options.resources.max_operations = 10;
  options.resources.max_console_bytes = 1000;
  options.resources.max_result_bytes = 2000;
  return options;
}

// Peak resident memory of this process.
std::size_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) << 10;
  }
  return 0;
}

struct Case {
  const char* attack;
  Status status;
  const char* words = "";  // of the error's message
};

constexpr const char* kProtocol = "broke its protocol";
constexpr const char* kExited = "exited with status";

// Ends by itself, whatever the limits.
constexpr Case kQuick[] = {
    {"id zero", Status::kCrashed, kProtocol},
    {"id again", Status::kCrashed, kProtocol},
    {"id going back", Status::kCrashed, kProtocol},
    {"largest id", Status::kOk},
    {"unknown member", Status::kCrashed, kProtocol},
    {"unknown request", Status::kCrashed, kProtocol},
    {"tool that is a list", Status::kCrashed, kProtocol},
    {"length of everything", Status::kCrashed, kProtocol},
    {"length over the cap", Status::kCrashed, kProtocol},
    {"length of nothing", Status::kCrashed, kProtocol},
    {"length that is odd", Status::kCrashed, kProtocol},
    {"table that lies", Status::kCrashed, kProtocol},
    {"no root", Status::kCrashed, kProtocol},
    {"pointer to itself", Status::kCrashed, kProtocol},
    {"pointer out of the message", Status::kCrashed, kProtocol},
    {"far pointer", Status::kCrashed, kProtocol},
    {"result out of the message", Status::kCrashed, kProtocol},
    {"deep nesting", Status::kOutputLimit},
    {"amplification", Status::kCrashed, kProtocol},
    {"half a frame and death", Status::kCrashed, kExited},
    {"closing", Status::kCrashed, kExited},
    {"writing after the result", Status::kOk},
    {"two results", Status::kOk},
    {"failure after the result", Status::kOk},
    {"result that is no JSON", Status::kCrashed, kProtocol},
    {"result that is no UTF-8", Status::kCrashed, kProtocol},
    {"result that is empty", Status::kCrashed, kProtocol},
    {"result over its limit", Status::kOutputLimit},
    {"console over its limit", Status::kOk},
    {"console that is no UTF-8", Status::kOk},
    {"console that says it was cut", Status::kOk},
    {"denial of nothing", Status::kError},
    {"syntax error nowhere", Status::kCompileError},
    {"unknown kind of failure", Status::kError},
    {"out of memory, it says", Status::kOutOfMemory},
    {"exit as if out of memory", Status::kOutOfMemory},
    {"exit as if done", Status::kCrashed, kExited},
    {"exit as if never locked", Status::kCrashed, kExited},
    {"stopping itself", Status::kCrashed, "SIGSEGV"},
};

// Would never end.
constexpr const char* kEndless[] = {
    "endless console", "endless empty console", "endless requests", "half a header",
    "half a frame",    "closing and lingering", "silence",
};

}  // namespace

TEST_CASE("a child that lies gets the outcome that its bytes deserve") {
  World world(hostile());
  REQUIRE(world.run("export default 1").result->json() == "1");
  for (const auto& [attack, status, words] : kQuick) {
    INFO(attack);
    const Outcome outcome = world.run(source_of(attack), grants());
    CHECK(to_string(outcome.status) == std::string(to_string(status)));
    if (outcome.result) CHECK(outcome.result->json() == "1");
    if (outcome.error) CHECK_THAT(outcome.error->message, Catch::Matchers::Contains(words));
    CHECK(outcome.console.size() <= 1100);
    CHECK(outcome.usage.operations <= 1);
    // One run, one `execute`, and nothing after it.
    const auto events = world.events();
    CHECK(events.back().capability == "execute");
    CHECK(events.back().sandbox == outcome.sandbox);
  }
  CHECK(world.run("export default 1").result->json() == "1");
}

TEST_CASE("what a child says about its console is checked") {
  World world(hostile());
  const Outcome over = world.run(source_of("console over its limit"), grants());
  CHECK(over.console == std::string(1000, 'x') + "\n");
  CHECK(over.console_truncated);
  CHECK(world.run(source_of("console that is no UTF-8"), grants()).console ==
        "a\xef\xbf\xbd\xef\xbf\xbdz\n");
  const Outcome cut = world.run(source_of("console that says it was cut"), grants());
  CHECK(cut.console == "a\n");
  CHECK(cut.console_truncated);
}

TEST_CASE("usage is what the host has measured") {
  World world(hostile());
  const Outcome outcome = world.run(source_of("endless requests"), grants(300));
  CHECK(outcome.status == Status::kTimeout);
  CHECK(outcome.usage.operations > 10);
  CHECK(outcome.usage.wall_ms >= 300);
  CHECK(outcome.usage.bytes_out > 0);
  CHECK(outcome.usage.bytes_in > 0);
  // Ten were used, one refusal is an event, the rest is counted.
  std::size_t used = 0;
  std::uint64_t refused = 0;
  for (const auto& event : world.events()) {
    if (event.capability == "environment") ++used;
    if (event.capability == "execute") refused = event.count.value_or(0);
  }
  CHECK(used == 10);
  CHECK(refused + 11 == outcome.usage.operations);
}

TEST_CASE("a child that never ends is ended by the wall clock, in bounded memory") {
  World world(hostile());
  REQUIRE(world.run("export default 1").result->json() == "1");
  const std::size_t before = peak_bytes();
  for (const char* attack : kEndless) {
    INFO(attack);
    const Outcome outcome = world.run(source_of(attack), grants(300));
    CHECK(to_string(outcome.status) == std::string("timeout"));
    CHECK(outcome.console.size() <= 1100);
  }
  // Frames of at most 1 MiB, replies of at most 4 MiB, for one child at a time.
  if (test::kSanitized) {
    WARN("skipped: the sanitizer keeps freed memory");
  } else {
    CHECK(peak_bytes() - before < std::size_t{96} << 20);
  }
}

TEST_CASE("neighbours of hostile children get their answers meanwhile") {
  RuntimeOptions options = hostile();
  options.max_concurrent_calls = 16;
  World world(std::move(options));
  std::vector<std::unique_ptr<AISandbox>> attackers;
  std::vector<std::future<Outcome>> attacks;
  for (const char* attack : kEndless) {
    attackers.push_back(
        std::make_unique<AISandbox>(world.runtime, source_of(attack), grants(600'000)));
    attacks.push_back(attackers.back()->call_async());
  }
  for (int call = 0; call < 50; ++call) {
    const Outcome outcome = world.run("export default " + std::to_string(call), grants(60'000));
    REQUIRE(outcome.status == Status::kOk);
  }
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    INFO(kEndless[i]);
    CHECK(attacks[i].wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
    attackers[i]->terminate();
    CHECK(attacks[i].get().status == Status::kTerminated);
  }
}

TEST_CASE("hostile children leave nothing behind") {
  const auto descriptors = test::count_descriptors();
  {
    World world(hostile());
    for (const auto& each : kQuick) world.run(source_of(each.attack), grants());
  }
  CHECK(test::children().empty());
  CHECK(test::count_descriptors() == descriptors);
}
