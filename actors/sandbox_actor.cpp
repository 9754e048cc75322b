#include "actors/sandbox_actor.h"

#include <caf/send.hpp>

#include <kj/exception.h>

#include <algorithm>
#include <map>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "actors/broker.h"
#include "actors/budget.h"
#include "actors/compile/tests_body.h"
#include "actors/duration.h"
#include "actors/job_frame.h"
#include "actors/json_text.h"
#include "actors/options_codec.h"
#include "actors/out_of_memory.h"
#include "actors/outcome_message.h"
#include "actors/process/start_failure.h"
#include "actors/tool_service.h"
#include "actors/wire_text.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

using Self = SandboxImpl::stateful_pointer<SandboxState>;
using Phase = SandboxState::Phase;
using namespace std::chrono_literals;

constexpr auto kBackstop = 10s;  // at the call's end: another actor is stuck
constexpr std::size_t kFrameSlackBytes = std::size_t{1} << 20;
// Beside the operations that run, so many requests wait in the host for a place to be free; and so
// many more frames are read, for there are others than requests.
constexpr std::uint32_t kWaitingRequests = 16;
constexpr std::uint32_t kOtherFrames = 16;
constexpr std::uint64_t kMaxRunningOperations = 1024;

CallLimits call_limits(const SandboxResourceGrant& resources) {
  return {.wall_clock_ms = resources.wall_clock_ms,
          .cpu_ms = resources.max_cpu_ms.value_or(0),
          .memory_bytes = resources.max_memory_bytes,
          .result_bytes = resources.max_result_bytes,
          .source_bytes = resources.max_source_bytes};
}

std::size_t max_frame_bytes(wire::Resources::Reader resources) {
  const auto largest = std::max(
      {resources.getMaxResultBytes(), argument_bytes(resources), resources.getMaxConsoleBytes()});
  return std::min<std::size_t>(largest + kFrameSlackBytes, kMaxPayloadBytes);
}

// While a child keeps to it, the host reads on, however long the operations take.
OpenRequests open_requests(wire::Resources::Reader resources) {
  const auto running = std::min(resources.getMaxConcurrentOperations(), kMaxRunningOperations);
  return {static_cast<std::uint32_t>(running) + kWaitingRequests, max_frame_bytes(resources)};
}

// ------------------------------------------------------------------------------- the call's end

OutcomeMessage outcome_of(const SandboxState& state, const CallEnd& end) {
  return outcome_message({
      .end = end,
      .call = state.call,
      .result = state.facts.result,
      .console = state.console,
      .console_truncated = state.console_truncated,
      .exit = state.exit,
      .closed = state.closed,
      .wall = std::chrono::duration_cast<std::chrono::microseconds>(
          std::chrono::steady_clock::now() - state.started),
      .queued = state.setup.queued,
      .module = state.module,
      .tests = state.tests,
  });
}

// The host has no memory for what the call has given: it gets none of it.
void give_up_texts(SandboxState& state) {
  state.facts.host_out_of_memory = true;
  state.facts.result.reset();
  state.facts.failure.reset();
  state.console_truncated = !std::exchange(state.console, {}).empty() || state.console_truncated;
}

// Decides, and makes the outcome before anybody is told, since that may change the decision.
CallEnd make_outcome(SandboxState& state) {
  try {
    CallEnd end = decide_end(state.facts, state.limits, state.denials);
    state.outcome = outcome_of(state, end);
    state.facts.result.reset();  // the outcome has it
    return end;
  } catch (const std::bad_alloc&) {
    give_up_texts(state);
    CallEnd end = decide_end(state.facts, state.limits, state.denials);
    state.outcome = outcome_of(state, end);
    return end;
  }
}

void deliver(Self self) {
  self->state.promise.deliver(self->state.outcome);
  self->quit();
}

AuditRecordMessage end_record(const SandboxState& state, const CallEnd& end, bool limit) {
  const auto wall = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - state.started);
  return AuditRecordMessage::build([&](wire::AuditRecord::Builder record) {
    record.setSandbox(state.call.read()->getSandbox());
    record.setCapability(limit ? end.limit_capability.c_str() : "execute");
    record.setOutcome(limit ? wire::AuditOutcome::DENIED : end.audit_outcome);
    if (!end.reason.empty()) record.setReason(end.reason.c_str());
    record.setDurationUs(wall.count());
    record.setBytes(-1);
    record.setCount(-1);
    if (limit || state.closed.empty()) return;
    if (const auto unrecorded = state.closed.read()->getUnrecorded(); unrecorded != 0) {
      record.setCount(static_cast<std::int64_t>(unrecorded));
    }
  });
}

void deliver_unrecorded(Self self) {
  auto& state = self->state;
  state.facts.audit_failed = true;
  make_outcome(state);
  deliver(self);
}

void record_end(Self self, CallEnd end, bool limit) {
  auto& state = self->state;
  if (!std::exchange(state.recording, true)) {
    state.watched.emplace_back(self, caf::actor_cast<caf::strong_actor_ptr>(state.setup.auditor));
  }
  self->request(state.setup.auditor, kBackstop, record_atom_v, end_record(state, end, limit))
      .then(
          [self, end, limit](const AuditReceiptMessage&) {
            if (limit) {
              record_end(self, end, false);
            } else {
              deliver(self);
            }
          },
          [self](const caf::error&) { deliver_unrecorded(self); });
}

void conclude(Self self) {
  auto& state = self->state;
  if (state.phase == Phase::kConcluding) return;
  state.phase = Phase::kConcluding;
  state.watch.reset();
  const auto finish = [self] {
    CallEnd end = make_outcome(self->state);
    const bool limit = !end.limit_capability.empty();
    record_end(self, std::move(end), limit);
  };
  self->request(state.broker, kBackstop, conclude_atom_v)
      .then(
          [self, finish](const BrokerClosedMessage& closed) {
            self->state.closed = closed;
            finish();
          },
          [finish](const caf::error&) { finish(); });
}

// The facts say how the call ends: stop the child, wait for it, and go on from there.
void end_call(Self self, KillReason reason) {
  auto& state = self->state;
  if (state.phase == Phase::kKilling || state.phase == Phase::kConcluding) return;
  if ((state.phase == Phase::kRunning || state.phase == Phase::kRestarting) && !state.exit) {
    state.phase = Phase::kKilling;
    state.child->kill(reason);
    return;
  }
  // A child that never got a job has run no guest code.
  state.child.reset();
  conclude(self);
}

void audit_failed(Self self) {
  self->state.facts.audit_failed = true;
  end_call(self, KillReason::kTerminated);
}

void actor_lost(Self self) {
  self->state.facts.terminated = true;
  end_call(self, KillReason::kTerminated);
}

void out_of_memory(Self self) {
  give_up_texts(self->state);
  end_call(self, KillReason::kOutOfMemory);
}

// `work` may copy as much as a guest chooses.
template <class Work>
void or_out_of_memory(Self self, Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    if (self->state.phase == Phase::kConcluding) throw;
    out_of_memory(self);
  }
}

void protocol_error(Self self) {
  self->state.facts.broke_protocol = true;
  end_call(self, KillReason::kProtocol);
}

// ----------------------------------------------------------------------- frames of the child

void on_reply(Self self, std::uint64_t request, std::size_t bytes, const HostFrameMessage& reply) {
  auto& state = self->state;
  if (!state.child) return;
  const auto view = reply.read();
  if (view->getReply().isDenied()) state.denials.remember(request, view->getReply().getDenied());
  if (state.phase == Phase::kRunning) state.child->send(reply);
  state.child->acknowledge(bytes);
}

void on_request(Self self, const ChildFrameMessage& frame, wire::Request::Reader request) {
  auto& state = self->state;
  const std::uint64_t id = request.getId();
  if (id <= state.last_request) return protocol_error(self);
  state.last_request = id;
  const std::size_t bytes = frame.bytes().size();
  self->request(state.broker, caf::infinite, perform_atom_v, frame)
      .then([self, id, bytes](const HostFrameMessage& reply) { on_reply(self, id, bytes, reply); },
            [self](const caf::error& error) {
              if (error == ActorError::kProtocol) return protocol_error(self);
              if (error == ActorError::kAuditFailed) return audit_failed(self);
              actor_lost(self);
            });
}

void on_console(Self self, wire::ConsoleText::Reader line) {
  auto& state = self->state;
  if (state.console_truncated) return;
  const auto raw = line.getText();
  std::string_view text(raw.cStr(), raw.size());
  const std::size_t room =
      state.max_console_bytes - std::min(state.max_console_bytes, state.console.size());
  bool truncated = line.getTruncated();
  if (text.size() > room || room == 0) {  // empty lines take room too
    text = text.substr(0, room);
    truncated = true;
  }
  const std::string clean = to_well_formed_utf8(text);
  state.console += clean;
  state.console += '\n';
  state.console_truncated = truncated;
  if (!state.console_listener) return;
  caf::anon_send(caf::actor_cast<caf::actor>(state.console_listener), console_atom_v,
                 ConsoleMessage::build(
                     [&](wire::ConsoleText::Builder out) {
                       out.setLevel(line.getLevel());
                       out.setText(kj::StringPtr(clean.c_str(), clean.size()));
                       out.setTruncated(truncated);
                     },
                     clean.size()));
}

void on_result(Self self, capnp::Data::Reader data) {
  auto& state = self->state;
  std::string text(reinterpret_cast<const char*>(data.begin()), data.size());
  if (text.size() <= state.limits.result_bytes && find_json_error(text)) {
    return protocol_error(self);
  }
  state.facts.result = std::move(text);
  end_call(self, KillReason::kDone);
}

// The engine does not take the program as the quick compiler has made it. Nothing has run.
bool is_for_esbuild(const SandboxState& state, wire::Failure::Reader failure) {
  return failure.getKind() == wire::Failure::Kind::SYNTAX && !failure.getInTests() &&
         state.module->is_quick && state.last_request == 0 && state.console.empty();
}

void begin_again(Self self) {
  auto& state = self->state;
  state.phase = Phase::kRestarting;
  state.child->kill(KillReason::kDone);
}

void on_failure(Self self, wire::Failure::Reader failure) {
  if (is_for_esbuild(self->state, failure)) return begin_again(self);
  const auto text = [](capnp::Text::Reader raw) {
    return to_well_formed_utf8(std::string_view(raw.cStr(), raw.size()));
  };
  self->state.facts.failure = GuestFailure{
      .kind = failure.getKind(),
      .name = text(failure.getName()),
      .message = text(failure.getMessage()),
      .stack = text(failure.getStack()),
      .denied_by = failure.getDeniedBy(),
      .line = failure.getLine(),
      .column = failure.getColumn(),
      .in_tests = failure.getInTests(),
  };
  end_call(self, KillReason::kDone);
}

void on_frame(Self self, const ChildFrameMessage& frame) {
  auto& state = self->state;
  if (state.phase != Phase::kRunning) return;
  try {
    const auto view = frame.read();
    switch (view->which()) {
      case wire::ChildFrame::REQUEST:
        return on_request(self, frame, view->getRequest());
      case wire::ChildFrame::CONSOLE:
        on_console(self, view->getConsole());
        state.child->acknowledge(frame.bytes().size());
        return;
      case wire::ChildFrame::RESULT:
        return on_result(self, view->getResult());
      case wire::ChildFrame::FAILURE:
        return on_failure(self, view->getFailure());
    }
    protocol_error(self);  // a member that this version does not know
  } catch (const kj::Exception&) {
    protocol_error(self);
  }
}

void restart(Self self);

void on_exit(Self self, const ChildExit& exit) {
  auto& state = self->state;
  state.exit = exit;
  if (state.phase == Phase::kRestarting) return restart(self);
  if (state.phase != Phase::kRunning && state.phase != Phase::kKilling) return;
  // The first reason to kill stands: a limit that was reached before the child was done wins.
  if (exit.killed == KillReason::kWallClock || exit.killed == KillReason::kCpu) {
    state.facts.limit = exit.killed;
  }
  if (!state.facts.result && !state.facts.failure) state.facts.exit = exit;
  conclude(self);
}

// ------------------------------------------------------------------------------- the call's start

void start_when_ready(Self self) {
  auto& state = self->state;
  if (state.phase != Phase::kPreparing || !state.child || !state.module) return;
  if (state.call.read()->hasTests() && !state.tests) return;
  const auto resources = state.call.read()->getOptions().getResources();
  const OpenRequests open = open_requests(resources);
  const SandboxImpl me = self;
  state.facts.start_failure = state.child->start(
      {.memory_bytes = state.limits.memory_bytes,
       .max_frame_bytes = max_frame_bytes(resources),
       .max_unanswered_frames = open.count + kOtherFrames,
       .max_unanswered_bytes = open.bytes + 1},
      {.frame =
           [me](Payload frame) {
             caf::anon_send(me, frame_atom_v, ChildFrameMessage(std::move(frame)));
           },
       .exited = [me](const ChildExit& exit) { caf::anon_send(me, exited_atom_v, exit); }});
  if (state.facts.start_failure) return end_call(self, KillReason::kNone);
  state.phase = Phase::kRunning;
  state.watch->watch(state.child);
  state.child->send(
      job_frame({state.call, *state.module, open, state.tests.get(), state.tools.get()}));
}

void acquire_child(Self self) {
  const SandboxImpl me = self;
  self->state.setup.services->children.acquire([me](auto result) {
    ChildArrival arrival;
    if (result) {
      arrival.child = std::move(*result);
    } else {
      arrival.failure = result.error();
    }
    caf::anon_send(me, child_atom_v, std::move(arrival));
  });
}

Result<CompiledModule, CompileFailure> as_tests(Result<CompiledModule, CompileFailure> compiled) {
  if (!compiled) return compiled;
  auto body = tests_body(compiled->code);
  if (!body) {
    return CompileFailure{CompileFailure::Kind::kSyntax, body.error().message};
  }
  return CompiledModule{*std::move(body), std::move(compiled->map)};
}

void compile(Self self, CompileRequest request, bool tests) {
  const SandboxImpl me = self;
  self->state.setup.services->compiler.compile(std::move(request), [me, tests](auto result) {
    if (tests) result = as_tests(std::move(result));
    CompileArrival arrival{.tests = tests, .module = {}, .failure = {}};
    if (result) {
      arrival.module = std::make_shared<const CompiledModule>(std::move(*result));
    } else {
      arrival.failure = result.error();
    }
    caf::anon_send(me, compiled_atom_v, std::move(arrival));
  });
}

void compile(Self self, wire::Call::Reader call) {
  const bool decorators = call.getOptions().getExperimentalDecorators();
  std::string source = as_string(call.getSource());
  if (call.hasTests()) {
    compile(self, tests_of_program(as_string(call.getTests()), decorators), true);
    compile(self, tested_program(std::move(source), decorators), false);
  } else {
    compile(self, {std::move(source), decorators}, false);
  }
}

// With the code that esbuild makes, or the errors that it finds.
void restart(Self self) {
  auto& state = self->state;
  state.phase = Phase::kPreparing;
  state.exit.reset();
  state.child.reset();
  state.module.reset();
  acquire_child(self);
  const auto call = state.call.read();
  compile(self,
          {.source = as_string(call->getSource()),
           .experimental_decorators = call->getOptions().getExperimentalDecorators(),
           .by_esbuild = true},
          false);
}

void begin_watch(Self self) {
  auto& state = self->state;
  const SandboxImpl me = self;
  LimitWatchSource::Limits limits{to_duration(state.limits.wall_clock_ms), {}};
  if (state.limits.cpu_ms != 0) limits.cpu = to_duration(state.limits.cpu_ms);
  state.watch = state.setup.services->limits.begin(limits, [me](KillReason reason) {
    caf::anon_send(me, expired_atom_v, static_cast<std::uint8_t>(reason));
  });
}

void terminate(Self self) {
  auto& state = self->state;
  if (state.phase == Phase::kKilling || state.phase == Phase::kConcluding) return;
  state.facts.terminated = true;
  end_call(self, KillReason::kTerminated);
}

std::vector<std::string> values(const std::map<std::string, std::string>& named) {
  std::vector<std::string> all;
  for (const auto& [name, value] : named) all.push_back(value);
  return all;
}

void begin(Self self, const CallMessage& message) {
  auto& state = self->state;
  state.started = std::chrono::steady_clock::now();
  state.call = message;
  const auto call = message.read();
  const AISandboxOptions options = read_options(call->getOptions());
  state.limits = call_limits(options.resources);
  state.max_console_bytes = options.resources.max_console_bytes;

  state.tools = state.setup.services->tools.find(call->getSandbox());
  auto context = std::make_shared<const OperationContext>(
      OperationContext{call->getSandbox().cStr(), Authority::validate(options, state.tools),
                       Redactor(values(options.secrets))});
  state.budget = self->spawn(budget_actor, budget_limits(call->getOptions().getResources()),
                             SharedBudget{state.setup.shared_budget, call->getSandbox().cStr(),
                                          as_string(call->getTenant())});
  auto network =
      options.network
          ? state.setup.services->network.open_session(options.network->allow_private_addresses)
          : nullptr;
  auto commands = options.subprocess
                      ? state.setup.services->commands.open_session({context, &context->authority})
                      : nullptr;
  auto tools = state.setup.services->tools.open_session(context);
  state.broker = self->spawn(
      broker_actor, BrokerSetup{std::move(context), state.budget, state.setup.auditor,
                                &state.setup.services->blocking, std::move(network),
                                std::move(commands), std::move(tools), state.setup.presence});
  state.phase = Phase::kPreparing;

  const bool source_fits = call->getSource().size() <= state.limits.source_bytes;
  if (!source_fits || call->getTests().size() > state.limits.source_bytes) {
    state.facts.tests_did_not_compile = source_fits;
    state.facts.compile_failure =
        CompileFailure{CompileFailure::Kind::kResources,
                       "The source exceeds " + std::to_string(state.limits.source_bytes) +
                           " bytes (resources.maxSourceBytes)"};
  }
  if (state.facts.compile_failure) return conclude(self);
  begin_watch(self);
  acquire_child(self);
  compile(self, *call);
}

}  // namespace

SandboxState::~SandboxState() {
  child.reset();
  if (broker) caf::anon_send_exit(broker, caf::exit_reason::user_shutdown);
  if (budget) caf::anon_send_exit(budget, caf::exit_reason::user_shutdown);
  if (!promise.pending()) return;
  facts.terminated = true;
  const CallEnd end = make_outcome(*this);
  caf::anon_send(setup.auditor, record_atom_v, end_record(*this, end, false));
  promise.deliver(outcome);
}

SandboxImpl::behavior_type sandbox_actor(Self self, SandboxSetup setup) {
  self->state.setup = std::move(setup);
  end_when_out_of_memory(self, [self] { self->state.facts.host_out_of_memory = true; });
  self->set_down_handler([self](const caf::down_msg& gone) {
    const auto& state = self->state;
    if (state.recording && gone.source == state.setup.auditor) return deliver_unrecorded(self);
    // Who asked for the call is gone, or whoever the sandbox belongs to.
    if (state.phase == Phase::kIdle) return self->quit();
    terminate(self);
  });
  self->state.watched.emplace_back(self, self->state.setup.guardian);
  return {
      [self](run_atom, const CallMessage& message,
             const caf::strong_actor_ptr& listener) -> caf::result<OutcomeMessage> {
        auto& state = self->state;
        if (state.phase != Phase::kIdle) return caf::error(ActorError::kBusy);
        state.watched.emplace_back(self, self->current_sender());
        state.promise = self->make_response_promise<OutcomeMessage>();
        auto promise = state.promise;
        state.console_listener = listener;
        try {
          begin(self, message);
        } catch (const InvalidOption& problem) {
          state.promise.deliver(
              caf::error(ActorError::kInvalidOptions, std::string(problem.what())));
          self->quit();
        } catch (const std::system_error& problem) {  // the grants could not be checked
          state.facts.start_failure = want_of_resources(problem.code(), problem.what());
          if (!state.facts.start_failure) throw;
          conclude(self);
        } catch (const std::bad_alloc&) {
          out_of_memory(self);
        }
        return promise;
      },
      [self](terminate_atom, const std::string& id) {
        auto& state = self->state;
        if (state.phase == Phase::kIdle || id != state.call.read()->getSandbox().cStr()) return;
        terminate(self);
      },
      [self](child_atom, const ChildArrival& arrival) {
        auto& state = self->state;
        if (state.phase != Phase::kPreparing) return;
        if (arrival.failure) {
          state.facts.start_failure = arrival.failure;
          return end_call(self, KillReason::kNone);
        }
        state.child = arrival.child;
        or_out_of_memory(self, [self] { start_when_ready(self); });
      },
      [self](compiled_atom, const CompileArrival& arrival) {
        auto& state = self->state;
        if (state.phase != Phase::kPreparing) return;
        if (arrival.failure) {
          state.facts.compile_failure = arrival.failure;
          state.facts.tests_did_not_compile = arrival.tests;
          return end_call(self, KillReason::kNone);
        }
        (arrival.tests ? state.tests : state.module) = arrival.module;
        or_out_of_memory(self, [self] { start_when_ready(self); });
      },
      [self](frame_atom, const ChildFrameMessage& frame) {
        or_out_of_memory(self, [&] { on_frame(self, frame); });
      },
      [self](exited_atom, const ChildExit& exit) {
        or_out_of_memory(self, [&] { on_exit(self, exit); });
      },
      [self](expired_atom, std::uint8_t reason) {
        auto& state = self->state;
        // A running child was killed already; its exit says why.
        if (state.phase != Phase::kPreparing && state.phase != Phase::kRestarting) return;
        state.facts.limit = static_cast<KillReason>(reason);
        end_call(self, KillReason::kNone);
      },
  };
}

}  // namespace cordon
