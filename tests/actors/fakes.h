#pragma once
// The world outside for actor tests: nothing here has a process, a thread or a clock.

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/scoped_actor.hpp>

#include <deque>
#include <memory>
#include <vector>

#include "actors/auditor.h"
#include "actors/services.h"
#include "actors/wire_messages.h"

namespace cordon::test {

class FakeChild final : public Child {
 public:
  ~FakeChild() override { *alive_ = false; }
  std::optional<StartFailure> start(const Limits& limits, Events events) override {
    limits_ = limits;
    if (cannot_be_limited) return cannot_be_limited;
    events_ = std::move(events);
    return std::nullopt;
  }
  void send(const Payload& frame) override {
    if (fail_to_send) throw std::runtime_error("a bug");
    sent.emplace_back(HostFrameMessage(frame));
  }
  void acknowledge(std::size_t) override { ++acknowledged; }
  void kill(KillReason reason) override {
    if (killed == KillReason::kNone) killed = reason;
  }
  std::optional<std::chrono::microseconds> cpu_time() const override { return cpu; }

  // What the process would do.
  template <class Fill>
  void say(Fill&& fill) {
    deliver(Message<wire::ChildFrame>::build(std::forward<Fill>(fill)));
  }
  void deliver(Payload frame) { events_.frame(std::move(frame)); }
  void die(bool signalled, int status) {
    events_.exited({.killed = killed, .signalled = signalled, .status = status});
  }
  bool started() const { return static_cast<bool>(events_.frame); }
  const Limits& limits() const { return limits_; }

  std::vector<HostFrameMessage> sent;
  bool fail_to_send = false;
  std::optional<StartFailure> cannot_be_limited;
  int acknowledged = 0;
  KillReason killed = KillReason::kNone;
  std::chrono::microseconds cpu{0};
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);

 private:
  Limits limits_;
  Events events_;
};

class FakeChildren final : public ChildSource {
 public:
  void acquire(OnChild on_child) override { waiting.push_back(std::move(on_child)); }
  std::shared_ptr<FakeChild> give() {
    auto child = std::make_shared<FakeChild>();
    take()(std::shared_ptr<Child>(child));
    return child;
  }
  void refuse(StartFailure failure) { take()(std::move(failure)); }
  std::deque<OnChild> waiting;

 private:
  OnChild take() {
    auto next = std::move(waiting.front());
    waiting.pop_front();
    return next;
  }
};

class FakeCompiler final : public Compiler {
 public:
  void compile(CompileRequest request, CompilerClient::OnCompiled on_compiled) override {
    requests.push_back(std::move(request));
    waiting.push_back(std::move(on_compiled));
  }
  void succeed(std::string code) { take()(CompiledModule{std::move(code), nullptr}); }
  void succeed_quickly(std::string code) {
    take()(CompiledModule{.code = std::move(code), .map = nullptr, .is_quick = true});
  }
  void fail(CompileFailure failure) { take()(std::move(failure)); }
  std::vector<CompileRequest> requests;
  std::deque<CompilerClient::OnCompiled> waiting;

 private:
  CompilerClient::OnCompiled take() {
    auto next = std::move(waiting.front());
    waiting.pop_front();
    return next;
  }
};

class FakeLimits final : public LimitWatchSource {
 public:
  struct Watch final : LimitWatch {
    void watch(std::shared_ptr<Child> watched) override { child = std::move(watched); }
    std::shared_ptr<Child> child;
  };
  std::shared_ptr<LimitWatch> begin(const Limits& limits,
                                    std::function<void(KillReason)> on_limit) override {
    begun.push_back(limits);
    last = std::make_shared<Watch>();
    on_limit_ = std::move(on_limit);
    return last;
  }
  void reach(KillReason reason) {
    if (last->child) last->child->kill(reason);
    on_limit_(reason);
  }
  std::vector<Limits> begun;
  std::shared_ptr<Watch> last;

 private:
  std::function<void(KillReason)> on_limit_;
};

class NoNetwork final : public Network {
 public:
  std::shared_ptr<NetworkSession> open_session(bool) override { return nullptr; }
};

class FakeCommands final : public Commands {
 public:
  struct Session final : CommandSession {
    explicit Session(FakeCommands& fake) : owner(fake) {}
    void start(CheckedCommand command, OnEnd on_end) override {
      owner.started.push_back(std::move(command));
      owner.waiting.push_back(std::move(on_end));
    }
    // As the real one: what runs ends as a failure.
    void close() override {
      for (auto& on_end : std::exchange(owner.waiting, {})) {
        on_end({OperationError(OperationFailure{"cancelled", "cancelled"}), nullptr});
      }
    }
    FakeCommands& owner;
  };
  std::shared_ptr<CommandSession> open_session(std::shared_ptr<const Authority>) override {
    return std::make_shared<Session>(*this);
  }
  void end(SpawnedCommand command) {
    auto on_end = std::move(waiting.front());
    waiting.pop_front();
    on_end(std::move(command));
  }
  std::vector<CheckedCommand> started;
  std::deque<CommandSession::OnEnd> waiting;
};

// Work runs when the test says so.
class HeldWork final : public BlockingExecutor {
 public:
  void run(std::function<void()> work) override { held.push_back(std::move(work)); }
  void run_all() {
    for (auto& work : std::exchange(held, {})) work();
  }
  std::vector<std::function<void()>> held;
};

// An actor system that does nothing until run() is called.
class SteppedSystem {
 public:
  SteppedSystem() : system(config()), self(system) {}

  void run() { scheduler().run(); }
  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler());
  }

 private:
  class Config : public caf::actor_system_config {
   public:
    Config() {
      add_message_types<caf::id_block::cordon>();
      set("scheduler.policy", caf::atom("testing"));
    }
  };
  Config& config() { return config_; }
  Config config_;

 public:
  caf::actor_system system;
  caf::scoped_actor self;
};

}  // namespace cordon::test
