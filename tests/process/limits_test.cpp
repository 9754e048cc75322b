// Memory, processes, CPU, output and time of commands.

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "tests/process/sandboxed.h"

using namespace cordon;
using namespace cordon::test;
using Catch::Matchers::Contains;
using Controller = ControlGroups::Controller;

TEST_CASE("memory is limited over the tree where a control group can be had") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  if (!commands.host().control_groups.mechanism(Controller::kMemory)) {
    WARN("skipped: no memory control group here");
    return;
  }
  commands.sandbox().resources.memory_bytes = 64 << 20;
  const SpawnedCommand small = commands.run(kTestee, {"memory", "16"});
  REQUIRE(small.result.has_value());
  CHECK(small.result->out == "allowed\n");
  CHECK_THAT(wall(small, "memory"), Contains("67108864 bytes over the process tree"));
  CHECK_THAT(refusal_of(commands.run(kTestee, {"memory", "128"})),
             Contains("resource.memory: Subprocess " + kTestee) &&
                 Contains("exceeds 67108864 bytes") && Contains("resources.memoryBytes"));
  // Four of them together. Which one dies is the kernel's choice.
  const SpawnedCommand together = commands.run(kTestee, {"memory_in_children", "30"});
  CHECK((!together.result || together.result->out.find("killed") != std::string::npos));
}

TEST_CASE("a memory limit that was asked for fails in strict mode where it cannot hold") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  if (commands.host().control_groups.mechanism(Controller::kMemory)) {
    WARN("skipped: there is a memory control group here");
    return;
  }
  // Not asked for: per process.
  const SpawnedCommand usual = commands.run(kTestee, {"memory", "1000"});
  REQUIRE(usual.result.has_value());
  CHECK(usual.result->out == "Cannot allocate memory\n");
  CHECK_THAT(wall(usual, "memory"), Contains("RLIMIT_DATA"));

  Sandboxed asked({kTestee});
  asked.sandbox().resources.memory_bytes = 64 << 20;
  CHECK_THAT(refusal_of(asked.run(kTestee, {"memory", "1"})),
             Contains("subprocess: ") && Contains("strict sandbox") && Contains("memory"));
  Sandboxed best({kTestee});
  best.sandbox().mode = SandboxProcessPolicy::Mode::kBestEffort;
  best.sandbox().resources.memory_bytes = 64 << 20;
  const SpawnedCommand ended = best.run(kTestee, {"memory", "128"});
  REQUIRE(ended.result.has_value());
  CHECK(ended.result->out == "Cannot allocate memory\n");
  REQUIRE(ended.report->missing.size() == 1);
  CHECK(ended.report->missing[0].name == "memory over the process tree");
}

TEST_CASE("processes are limited over the tree, 64 without being asked") {
  if (!can_run()) return;
  CHECK(Sandboxed({kTestee}).probe("forks", "200") == "63");
  Sandboxed commands({kTestee});
  commands.sandbox().resources.pids = 5;
  const SpawnedCommand ended = commands.run(kTestee, {"forks", "200"});
  REQUIRE(ended.result.has_value());
  CHECK(ended.result->out == "4\n");
  CHECK_THAT(wall(ended, "processes"), Contains("5 processes"));
}

TEST_CASE("cpu holds where a control group can be had, and is refused elsewhere") {
  if (!can_run()) return;
  Sandboxed commands({kTestee});
  commands.sandbox().resources.cpu = 0.25;
  const auto started = std::chrono::steady_clock::now();
  const SpawnedCommand ended = commands.run(kTestee, {"burn", "1"});
  const auto took = std::chrono::steady_clock::now() - started;
  if (commands.host().control_groups.mechanism(Controller::kCpu)) {
    REQUIRE(ended.result.has_value());
    CHECK(took > std::chrono::milliseconds(2500));
    CHECK_THAT(wall(ended, "cpu"), Contains("0.25 CPUs"));
    return;
  }
  CHECK_THAT(refusal_of(ended), Contains("strict sandbox") && Contains("cpu"));
  Sandboxed best({kTestee});
  best.sandbox().mode = SandboxProcessPolicy::Mode::kBestEffort;
  best.sandbox().resources.cpu = 0.25;
  const SpawnedCommand unlimited = best.run(kTestee, {"getppid"});
  REQUIRE(unlimited.result.has_value());
  REQUIRE(unlimited.report->missing.size() == 1);
  CHECK(unlimited.report->missing[0].name == "cpu");
}

TEST_CASE("output is limited over both streams together, exactly") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  commands.options.resources.max_process_output_bytes = 10;
  const SpawnedCommand full = commands.run("/bin/sh", {"-c", "printf 12345; printf 67890 >&2"});
  REQUIRE(full.result.has_value());
  CHECK(full.result->out + full.result->err == "1234567890");
  CHECK(refusal_of(commands.run("/bin/sh", {"-c", "printf 12345; printf 678901 >&2"})) ==
        "resource.bytes: Subprocess /bin/sh output exceeds 10 bytes "
        "(resources.maxProcessOutputBytes)");
}

TEST_CASE("endless output ends the command") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  commands.options.resources.max_process_output_bytes = 4096;
  CHECK_THAT(refusal_of(commands.run(
                 "/bin/sh", {"-c", "while :; do echo 0123456789; echo 0123456789 >&2; done"})),
             Contains("exceeds 4096 bytes"));
}

TEST_CASE("the scratch directory holds 256 MiB") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh", "/usr/bin/head"});
  CHECK(commands.shell("head -c 250000000 /dev/zero > f && echo fits") == "fits\n");
  CHECK_THAT(commands.shell("head -c 300000000 /dev/zero > f"), Contains("No space left"));
}

TEST_CASE("a megabyte of output arrives whole") {
  if (!can_run()) return;
  Sandboxed commands({"/usr/bin/head"});
  commands.options.resources.max_process_output_bytes = 1 << 20;
  CHECK(commands.output("/usr/bin/head", {"-c", "1048576", "/dev/zero"}) ==
        std::string(1 << 20, '\0'));
}

TEST_CASE("the timeout kills a command that ignores every signal, children included") {
  if (!can_run()) return;
  Sandboxed commands({"/bin/sh"});
  commands.grant().timeout_ms = 300;
  CHECK(refusal_of(commands.run(
            "/bin/sh",
            {"-c",
             "trap '' TERM INT HUP QUIT; (trap '' TERM; while :; do :; done) & while :; do "
             ":; done",
             "cordon-timeout-marker"})) ==
        "resource.wallClock: Subprocess /bin/sh exceeded 300ms (subprocess.timeoutMs)");
  CHECK(no_process_with("cordon-timeout-marker"));
}
