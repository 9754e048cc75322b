// Planted secrets of the host and of other tenants: no command, no event and no error holds them.

#include <catch2/catch.hpp>

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <future>
#include <string>
#include <vector>

#include "messages/unique_fd.h"
#include "tests/system/canary.h"
#include "tests/system/world.h"

using namespace cordon;
using Catch::Matchers::Contains;
using test::canary;
using test::reversed;
using test::ScratchDirectory;
using test::World;

namespace {

constexpr const char* kSpawn = R"ts(
  import { spawn } from 'fino:ai/sandbox/capabilities';
  export default async (command: string, args: string[]) => {
    console.log('asked');
    return (await spawn(command, args)).stdout;
  };
)ts";

std::string arguments(const std::vector<std::string>& texts) {
  return nlohmann::json::array({CORDON_COMMAND_TESTEE, texts}).dump();
}

AISandboxOptions with_testee() {
  AISandboxOptions options;
  options.subprocess.emplace().commands = {CORDON_COMMAND_TESTEE};
  return options;
}

}  // namespace

TEST_CASE("planted canaries are found by no command, event or error") {
  const ScratchDirectory scratch;
  const std::string in_environment = canary("environment");
  const std::string in_file = canary("file");
  const std::string in_descriptor = canary("descriptor");
  const std::string in_secret = canary("secret");
  const std::string in_command = canary("command");
  REQUIRE(::setenv("CORDON_TEST_CANARY", in_environment.c_str(), 1) == 0);
  scratch.write("canary.txt", in_file);
  std::filesystem::permissions(scratch.path(), std::filesystem::perms(0755));
  const UniqueFd descriptor(::memfd_create("canary", 0));  // inheritable
  REQUIRE(::write(descriptor.get(), in_descriptor.data(), in_descriptor.size()) > 0);

  World world;
  const Outcome first = world.run(kSpawn, with_testee(), arguments({"descriptors"}));
  if (first.status != Status::kOk) {
    WARN("skipped: " + first.error->message);
    return;
  }
  // Another tenant's command, with a secret in its environment, at the same time.
  AISandboxOptions other = with_testee();
  other.secrets = {{"TOKEN", in_secret}};
  other.subprocess->environment = {{"TOKEN", in_secret}, {"MODE", in_command}};
  ProgramOptions program;
  std::promise<void> asked;
  program.on_console = [&](std::string_view, std::string_view) { asked.set_value(); };
  AISandbox neighbour(world.runtime, kSpawn, other, program);
  auto neighbours_end = neighbour.call_async(Value::from_json(arguments({"burn", "600"})));
  asked.get_future().wait();

  for (const std::string& text : {in_environment, in_file, in_descriptor, in_secret, in_command}) {
    INFO(text);
    const Outcome outcome = world.run(kSpawn, with_testee(), arguments({"search", reversed(text)}));
    CHECK(outcome.value().view() == "0 finds in many files\n");
  }
  // The search does find what is there.
  AISandboxOptions granted = with_testee();
  granted.filesystem = SandboxFilesystemGrant{{scratch.path()}, {}};
  granted.subprocess->environment = {{"MODE", in_command}};
  CHECK(world.run(kSpawn, granted, arguments({"search", reversed(in_file)})).value().view() ==
        "1 finds in many files\n");
  CHECK_THAT(world.run(kSpawn, granted, arguments({"search", reversed(in_command)})).value().json(),
             !Contains("\"0 finds"));

  // Errors after the sandbox was set up, and refusals before.
  AISandboxOptions tight = other;
  tight.resources.max_process_output_bytes = 1;
  const Outcome refused = world.run(kSpawn, tight, arguments({"descriptors"}));
  CHECK(refused.status == Status::kDenied);
  CHECK_THAT(refused.error->message, !Contains("canary-"));
  neighbour.terminate();
  CHECK_THAT(neighbours_end.get().error->message, !Contains("canary-"));
  CHECK_THAT(world.all_event_text(), !Contains("canary-"));
  ::unsetenv("CORDON_TEST_CANARY");
}
