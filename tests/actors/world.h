#pragma once
// One call in a stepped actor system: the real actors, and fakes for everything else.

#include <catch2/catch.hpp>

#include <caf/send.hpp>

#include <csignal>

#include "actors/options_codec.h"
#include "actors/outcome_codec.h"
#include "actors/sandbox_actor.h"
#include "actors/tool_service.h"
#include "tests/actors/fakes.h"

namespace cordon::test {

using namespace std::chrono_literals;

inline CallMessage call_message(const AISandboxOptions& options = {}, const char* id = "sb-1") {
  return CallMessage::build([&](wire::Call::Builder call) {
    call.setSandbox(id);
    call.setSource("export default () => 1");
    call.setSourceName("main.ts");
    const std::string_view arguments = "[]";
    call.setArguments(
        kj::arrayPtr(reinterpret_cast<const kj::byte*>(arguments.data()), arguments.size()));
    write_options(call.initOptions(), options);
  });
}

// More than a test lets go by.
constexpr auto kPatience = 3600s;

struct World : SteppedSystem {
  World() {
    auditor =
        system.spawn(auditor_actor, AuditorSetup{.publish = [this](const SandboxAuditEvent& event) {
                       if (fail_to_publish) throw std::runtime_error("a bug");
                       events.push_back(event);
                     }});
  }

  // The system waits for its actors, and nobody else steps them.
  ~World() {
    caf::anon_send_exit(sandbox, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(auditor, caf::exit_reason::user_shutdown);
    run();
  }

  // The state of the call's sandbox, for what only it knows.
  SandboxState& state() {
    using Actor = std::remove_pointer_t<SandboxImpl::stateful_pointer<SandboxState>>;
    return dynamic_cast<Actor&>(*caf::actor_cast<caf::abstract_actor*>(sandbox)).state;
  }

  // Sends the call; the answer is read with outcome().
  void call(const AISandboxOptions& options = {}) {
    sandbox = caf::actor_cast<SandboxActor>(
        system.spawn(sandbox_actor, SandboxSetup{.services = &services,
                                                 .auditor = auditor,
                                                 .shared_budget = shared_budget,
                                                 .guardian = guardian}));
    answer.emplace(self->request(sandbox, kPatience, run_atom_v, call_message(options),
                                 caf::strong_actor_ptr()));
    run();
  }

  std::shared_ptr<FakeChild> running_child(const AISandboxOptions& options = {}) {
    call(options);
    compiler.succeed("export default () => 1");
    auto child = children.give();
    run();
    REQUIRE(child->started());
    return child;
  }

  Outcome outcome() {
    run();
    Outcome result;
    answer->receive([&](const OutcomeMessage& message) { result = read_outcome(message); },
                    [&](const caf::error& error) { FAIL(system.render(error)); });
    return result;
  }

  bool answered() {
    run();
    return self->has_next_message();
  }

  std::vector<std::string> event_names() const {
    std::vector<std::string> names;
    for (const auto& event : events) {
      names.push_back(event.capability + " " + to_string(event.outcome));
    }
    return names;
  }

  FakeChildren children;
  FakeCompiler compiler;
  FakeLimits limits;
  HeldWork blocking;
  NoNetwork network;
  FakeCommands commands;
  ToolService tools{blocking};
  Services services{children, compiler, limits, blocking, network, commands, tools};
  std::vector<SandboxAuditEvent> events;
  bool fail_to_publish = false;
  AuditorActor auditor;
  BudgetActor shared_budget;
  caf::strong_actor_ptr guardian;
  SandboxActor sandbox;
  using Answer = decltype(std::declval<caf::scoped_actor&>()->request(
      std::declval<SandboxActor&>(), kPatience, run_atom_v, CallMessage(),
      caf::strong_actor_ptr()));
  std::optional<Answer> answer;
};

inline void result(wire::ChildFrame::Builder frame, std::string_view json) {
  frame.setResult(kj::arrayPtr(reinterpret_cast<const kj::byte*>(json.data()), json.size()));
}

inline auto environment_request(std::uint64_t id, const char* name) {
  return [=](wire::ChildFrame::Builder frame) {
    auto request = frame.initRequest();
    request.setId(id);
    request.setEnvironment(name);
  };
}

inline AISandboxOptions with_mode() {
  AISandboxOptions options;
  options.environment = {{"MODE", "test"}};
  return options;
}

}  // namespace cordon::test
