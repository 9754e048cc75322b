// Many calls at once, of every kind: right answers, and nothing left over.

#include <catch2/catch.hpp>

#include <array>
#include <deque>
#include <memory>

#include "tests/support/sanitized.h"
#include "tests/system/processes.h"
#include "tests/system/world.h"

using namespace cordon;
using test::World;

namespace {

constexpr int kCalls = 2000;
constexpr std::size_t kInFlight = 16;

struct Kind {
  const char* source;
  Status status;
};

const std::array kKinds = {
    Kind{"export default (n: number) => n + 1;", Status::kOk},
    Kind{"export default (n: number) => { throw new TypeError('n' + n); };", Status::kError},
    Kind{"export default () => { for (;;) {} };", Status::kTimeout},
    Kind{"import { secret } from 'fino:ai/sandbox/capabilities'; export default () => "
         "secret('NONE');",
         Status::kDenied},
};

struct InFlight {
  int number;
  std::unique_ptr<AISandbox> sandbox;
  std::future<Outcome> outcome;
};

InFlight begin(World& world, int number) {
  const Kind& kind = kKinds[static_cast<std::size_t>(number) % kKinds.size()];
  AISandboxOptions options;
  // Roomy for the rest: a busy machine must not turn them into timeouts.
  options.resources.wall_clock_ms = kind.status == Status::kTimeout ? 30 : 20'000;
  auto sandbox = std::make_unique<AISandbox>(
      world.runtime, std::string(kind.source) + " // " + std::to_string(number), options);
  auto outcome = sandbox->call_async(Value::from_json("[" + std::to_string(number) + "]"));
  return {number, std::move(sandbox), std::move(outcome)};
}

bool right(InFlight& call) {
  const Outcome outcome = call.outcome.get();
  const Kind& kind = kKinds[static_cast<std::size_t>(call.number) % kKinds.size()];
  if (outcome.status != kind.status) {
    UNSCOPED_INFO(call.number << ": " << to_string(outcome.status)
                              << (outcome.error ? " " + outcome.error->message : ""));
    return false;
  }
  switch (kind.status) {
    case Status::kOk:
      return outcome.result->json() == std::to_string(call.number + 1);
    case Status::kError:
      return outcome.error->message == "n" + std::to_string(call.number);
    case Status::kDenied:
      return outcome.denial->target == "NONE";
    default:
      return true;
  }
}

}  // namespace

TEST_CASE("2,000 mixed calls, 16 in flight: no wrong result and nothing left over", "[load]") {
  const auto descriptors = test::count_descriptors();
  const auto threads = test::count_threads();
  {
    World world;
    std::deque<InFlight> in_flight;
    int wrong = 0;
    for (int number = 0; number < kCalls; ++number) {
      if (in_flight.size() == kInFlight) {
        wrong += right(in_flight.front()) ? 0 : 1;
        in_flight.pop_front();
      }
      in_flight.push_back(begin(world, number));
    }
    for (auto& call : in_flight) wrong += right(call) ? 0 : 1;
    CHECK(wrong == 0);
    std::size_t executed = 0;
    for (const auto& event : world.events()) executed += event.capability == "execute" ? 1u : 0u;
    CHECK(executed == kCalls);
  }
  CHECK(test::children().empty());
  CHECK(test::count_descriptors() == descriptors);
  if (!test::kSanitized) CHECK(test::count_threads() == threads);  // it has one of its own
}
