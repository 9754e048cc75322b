// Many calls while processes are killed at random: every call is answered, with its own outcome or
// with one that a killed process explains, and nothing is left over.

#include <catch2/catch.hpp>

#include <signal.h>

#include <array>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>

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
};

struct InFlight {
  int number;
  std::unique_ptr<AISandbox> sandbox;
  std::future<Outcome> outcome;
};

const Kind& kind_of(int number) { return kKinds[static_cast<std::size_t>(number) % kKinds.size()]; }

InFlight begin(World& world, const test::ScratchDirectory& scratch, int number) {
  const Kind& kind = kind_of(number);
  AISandboxOptions options;
  options.filesystem = SandboxFilesystemGrant{{scratch.path()}, {scratch.path()}};
  options.resources.wall_clock_ms = kind.status == Status::kTimeout ? 30 : 120'000;
  options.resources.max_memory_bytes = std::uint64_t{32} << 20;
  auto sandbox = std::make_unique<AISandbox>(
      world.runtime, std::string(kind.source) + " // " + std::to_string(number), options);
  const std::string name = scratch / (std::to_string(number) + ".txt");
  auto outcome =
      sandbox->call_async(Value::from_json("[" + std::to_string(number) + ",\"" + name + "\"]"));
  return {number, std::move(sandbox), std::move(outcome)};
}

bool is_right(int number, const Outcome& outcome) {
  if (outcome.status != kind_of(number).status) return false;
  if (outcome.status == Status::kOk) return outcome.result->json() == std::to_string(number + 1);
  if (outcome.status == Status::kError) {
    return outcome.error->message == "n" + std::to_string(number);
  }
  return true;
}

struct Tally {
  int right = 0;
  int crashed = 0;
  int not_compiled = 0;
  int unavailable = 0;
  int wrong = 0;

  void count(InFlight& call) {
    if (call.outcome.wait_for(300s) != std::future_status::ready) {
      FAIL("call " << call.number << " has no answer");
    }
    const Outcome outcome = call.outcome.get();
    if (is_right(call.number, outcome)) {
      ++right;
    } else if (outcome.status == Status::kCrashed && outcome.signal == SIGKILL) {
      ++crashed;
    } else if (outcome.status == Status::kCompileError &&
               outcome.error->message.find("TypeScript compiler ended") != std::string::npos) {
      ++not_compiled;  // killed, and killed again over the same source
    } else if (outcome.status == Status::kUnavailable) {
      ++unavailable;  // the zygote was killed at each of its starts
    } else {
      ++wrong;
      UNSCOPED_INFO(call.number << ": " << to_string(outcome.status) << " "
                                << (outcome.error ? outcome.error->message : ""));
    }
  }
};

void soak(int calls) {
  const auto descriptors = test::count_descriptors();
  const auto threads = test::count_threads();
  {
    const test::ScratchDirectory scratch;
    World world;
    Tally tally;
    std::deque<InFlight> in_flight;
    test::Killer killer(40ms, 1);
    for (int number = 0; number < calls; ++number) {
      if (in_flight.size() == kInFlight) {
        tally.count(in_flight.front());
        in_flight.pop_front();
      }
      in_flight.push_back(begin(world, scratch, number));
    }
    for (auto& call : in_flight) tally.count(call);
    killer.stop();
    WARN(calls << " calls: " << tally.right << " as without kills, " << tally.crashed
               << " crashed, " << tally.not_compiled << " not compiled, " << tally.unavailable
               << " unavailable; killed: " << killer.children_killed() << " children, "
               << killer.zygotes_killed() << " zygotes, " << killer.compilers_killed()
               << " compilers, " << killer.inits_killed() << " inits");
    CHECK(tally.wrong == 0);
    // Each dead init takes as many calls along as there may be at once.
    CHECK(tally.crashed <=
          killer.children_killed() + killer.inits_killed() * static_cast<int>(kInFlight));
    CHECK(tally.not_compiled + tally.unavailable <= calls / 50);
    CHECK(killer.children_killed() > 0);
    CHECK(killer.zygotes_killed() > 0);
    CHECK(killer.compilers_killed() > 0);

    // It recovers at once, and each call has had its one last event.
    CHECK(world.run("export default () => 1;").status == Status::kOk);
    std::size_t executed = 0;
    for (const auto& event : world.events()) executed += event.capability == "execute" ? 1U : 0U;
    CHECK(executed == static_cast<std::size_t>(calls) + 1);
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
      CHECK(entry.path().extension() == ".txt");  // no half-written file
    }
  }
  CHECK(test::children().empty());
  CHECK(test::count_descriptors() == descriptors);
  CHECK(test::count_threads() == threads);
}

}  // namespace

TEST_CASE("killed children, zygotes and compilers cost their own calls alone", "[load]") {
  soak(1000);
}

TEST_CASE("20,000 calls under random kills", "[.soak]") { soak(20'000); }
