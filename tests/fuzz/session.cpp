// A child's bytes, read by the real decoder, sandbox actor and broker, against fakes of everything
// else: the call ends in exactly one outcome of the closed set, and everything in it is well
// formed.

#include <caf/send.hpp>

#include <csignal>
#include <optional>

#include "actors/json_text.h"
#include "actors/options_codec.h"
#include "actors/outcome_codec.h"
#include "actors/sandbox_actor.h"
#include "actors/tool_service.h"
#include "capabilities/utf8.h"
#include "messages/frame.h"
#include "tests/actors/fakes.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;
using namespace std::chrono_literals;

namespace {

constexpr const char* kSecret = "a very secret value";

// Servers that cannot be reached.
class DeadNetwork final : public Network {
 public:
  struct Session final : NetworkSession {
    void fetch(const CheckedRequest&, std::optional<std::string>, std::uint64_t,
               OnResponse on_response) override {
      on_response(
          OperationError(OperationFailure{"Network request failed: unreachable", "unreachable"}));
    }
    void close() override {}
  };
  std::shared_ptr<NetworkSession> open_session(bool) override {
    return std::make_shared<Session>();
  }
};

AISandboxOptions grants() {
  AISandboxOptions options;
  options.environment = {{"MODE", "test"}};
  options.secrets = {{"TOKEN", kSecret}};
  options.network.emplace();
  options.network->origins = {"http://localhost:8080"};
  options.network->methods = {"GET", "POST"};
  options.resources.max_operations = 4;
  options.resources.max_console_bytes = 64;
  options.resources.max_result_bytes = 256;
  return options;
}

// One system for all inputs: making one takes a thousand times as long as a call.
struct World : test::SteppedSystem {
  World() {
    auditor =
        system.spawn(auditor_actor, AuditorSetup{.publish = [this](const SandboxAuditEvent& event) {
                       text_of_events += to_json(event);
                     }});
  }

  std::shared_ptr<test::FakeChild> start() {
    text_of_events.clear();
    const auto message = CallMessage::build([](wire::Call::Builder call) {
      call.setSandbox("sb-1");
      call.setSource("export default () => 1");
      call.setSourceName("main.ts");
      constexpr std::string_view kArguments = "[]";
      call.setArguments(
          kj::arrayPtr(reinterpret_cast<const kj::byte*>(kArguments.data()), kArguments.size()));
      write_options(call.initOptions(), grants());
    });
    const auto sandbox = caf::actor_cast<SandboxActor>(
        system.spawn(sandbox_actor, SandboxSetup{&services, auditor, 0us}));
    answer.emplace(
        self->request(sandbox, caf::infinite, run_atom_v, message, caf::strong_actor_ptr()));
    run();
    compiler.succeed("export default () => 1");
    auto child = children.give();
    run();
    return child;
  }

  void settle() {
    do {
      run();
      blocking.run_all();
    } while (scheduler().has_job() || !blocking.held.empty());
  }

  Outcome outcome() {
    settle();
    std::optional<Outcome> result;
    fuzz::require(self->has_next_message(), "the call has no answer");
    answer->receive([&](const OutcomeMessage& message) { result = read_outcome(message); },
                    [&](const caf::error&) {});
    fuzz::require(result.has_value(), "the call was answered with an error");
    fuzz::require(!self->has_next_message(), "the call was answered twice");
    return *std::move(result);
  }

  test::FakeChildren children;
  test::FakeCompiler compiler;
  test::FakeLimits limits;
  test::HeldWork blocking;
  DeadNetwork network;
  test::FakeCommands commands;
  ToolService tools{blocking};
  Services services{children, compiler, limits, blocking, network, commands, tools};
  std::string text_of_events;
  AuditorActor auditor;
  using Answer = decltype(std::declval<caf::scoped_actor&>()->request(
      std::declval<SandboxActor&>(), caf::infinite, run_atom_v, CallMessage(),
      caf::strong_actor_ptr()));
  std::optional<Answer> answer;
};

void check_text(const std::string& text) {
  fuzz::require(to_well_formed_utf8(text) == text, "text of an outcome is ill-formed");
}

void check(const Outcome& outcome) {
  fuzz::require(outcome.status == Status::kOk || outcome.status == Status::kError ||
                    outcome.status == Status::kDenied || outcome.status == Status::kCrashed ||
                    outcome.status == Status::kCompileError ||
                    outcome.status == Status::kOutputLimit ||
                    outcome.status == Status::kOutOfMemory,
                "a child chose an outcome that is not its own to choose");
  fuzz::require((outcome.status == Status::kOk) == outcome.result.has_value(), "result and status");
  fuzz::require((outcome.status == Status::kOk) != outcome.error.has_value(), "error and status");
  if (outcome.result) {
    fuzz::require(!find_json_error(outcome.result->json()), "a result that is no JSON");
    fuzz::require(outcome.result->json().size() <= 256, "a result over its limit");
  }
  fuzz::require(outcome.console.size() <= 64 * 3 + 64, "console text over its limit");
  check_text(outcome.console);
  if (!outcome.error) return;
  check_text(outcome.error->name);
  check_text(outcome.error->message);
  check_text(outcome.error->stack);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto& world = *new World;  // never destroyed: the process ends in the fuzzer's way
  const auto child = world.start();
  FrameDecoder decoder(child->limits().max_frame_bytes);
  auto bytes = std::as_bytes(std::span(data, size));
  while (!bytes.empty() && !decoder.error()) {
    Payload frame = decoder.next(bytes);
    if (frame.empty()) continue;
    child->deliver(std::move(frame));
    if (child->killed == KillReason::kNone) world.run();
  }
  world.settle();
  if (child->killed == KillReason::kNone) {
    child->kill(decoder.error() ? KillReason::kProtocol : KillReason::kDone);
  }
  child->die(true, SIGKILL);
  const Outcome outcome = world.outcome();
  check(outcome);
  fuzz::require(outcome.usage.operations >= 1 ||
                    world.text_of_events.find("environment") == std::string::npos,
                "an operation that was not counted");
  fuzz::require(world.text_of_events.find(kSecret) == std::string::npos, "a secret in an event");
  return 0;
}
