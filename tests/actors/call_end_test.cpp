#include "actors/call_end.h"

#include <catch2/catch.hpp>

#include <csignal>

#include "messages/exit_codes.h"
#include "messages/payload.h"

using namespace cordon;
using wire::AuditOutcome;
using wire::Status;

namespace {

constexpr CallLimits kLimits{
    .wall_clock_ms = 20, .cpu_ms = 7, .memory_bytes = 1000, .result_bytes = 8, .source_bytes = 100};

CallEnd end_of(const CallFacts& facts, const GuestDenials& denials = {}) {
  return decide_end(facts, kLimits, denials);
}

GuestDenials one_denial(std::uint64_t request, const char* capability) {
  const auto message = Message<wire::Denial>::build([&](wire::Denial::Builder denial) {
    denial.setCapability(capability);
    denial.setMessage("Environment variable HOME is not granted");
    denial.setTarget("HOME");
  });
  GuestDenials denials;
  denials.remember(request, *message.read());
  return denials;
}

CallFacts threw(std::uint64_t denied_by) {
  CallFacts facts;
  facts.failure =
      GuestFailure{.name = "SandboxDeniedError", .message = "made up", .denied_by = denied_by};
  return facts;
}

CallFacts died(ChildExit exit) {
  CallFacts facts;
  facts.exit = exit;
  return facts;
}

}  // namespace

TEST_CASE("a checked result is ok") {
  CallFacts facts;
  facts.result = "42";
  const CallEnd end = end_of(facts);
  CHECK(end.status == Status::OK);
  CHECK(end.audit_outcome == AuditOutcome::USED);
  CHECK(end.limit_capability.empty());
}

TEST_CASE("a result over the limit is output_limit, whatever the child kept to") {
  CallFacts facts;
  facts.result = "\"123456789\"";
  const CallEnd end = end_of(facts);
  CHECK(end.status == Status::OUTPUT_LIMIT);
  CHECK(end.denial->capability == "resource.result");
  CHECK(end.message == "Execution result exceeds 8 bytes (resources.maxResultBytes)");
}

TEST_CASE("limits end the call as themselves and are events of their own") {
  CallFacts facts;
  facts.limit = KillReason::kWallClock;
  facts.result = "1";  // came too late
  CallEnd end = end_of(facts);
  CHECK(end.status == Status::TIMEOUT);
  CHECK(end.limit_capability == "resource.wallClock");
  CHECK(end.message.find("exceeded 20ms") != std::string::npos);
  CHECK(end.audit_outcome == AuditOutcome::DENIED);

  facts.limit = KillReason::kCpu;
  end = end_of(facts);
  CHECK(end.status == Status::CPU_LIMIT);
  CHECK(end.limit_capability == "resource.cpu");
  CHECK(end.message.find("exceeded 7ms") != std::string::npos);
}

TEST_CASE("out of memory is told by the child's report or by its exit code") {
  CallFacts reported;
  reported.failure = GuestFailure{.kind = wire::Failure::Kind::OUT_OF_MEMORY};
  CHECK(end_of(reported).status == Status::OUT_OF_MEMORY);
  const CallEnd end = end_of(died({.status = kExitOutOfMemory}));
  CHECK(end.status == Status::OUT_OF_MEMORY);
  CHECK(end.denial->capability == "resource.memory");
  CHECK(end.message == "Execution exceeds 1000 bytes of memory (resources.maxMemoryBytes)");
}

TEST_CASE("a child's death is crashed, with its signal named") {
  const CallEnd killed = end_of(died({.signalled = true, .status = SIGSEGV}));
  CHECK(killed.status == Status::CRASHED);
  CHECK(killed.signal == SIGSEGV);
  CHECK(killed.message.find("SIGSEGV") != std::string::npos);
  for (const auto& [signal, cause] :
       {std::pair(SIGKILL, "out of memory"), {SIGXCPU, "RLIMIT_CPU"}}) {
    const CallEnd from_outside = end_of(died({.signalled = true, .status = signal}));
    CHECK(from_outside.status == wire::Status::CRASHED);
    CHECK(from_outside.message.find(cause) != std::string::npos);
  }
  const CallEnd exited = end_of(died({.status = 3}));
  CHECK(exited.status == Status::CRASHED);
  CHECK(exited.signal == 0);
  const CallEnd broken =
      end_of(died({.killed = KillReason::kProtocol, .signalled = true, .status = SIGKILL}));
  CHECK(broken.status == Status::CRASHED);
  CHECK(broken.signal == 0);
  CHECK(broken.message.find("protocol") != std::string::npos);
  CallFacts gone = died({.status = 0});
  gone.broke_protocol = true;
  CHECK(end_of(gone).message == broken.message);
}

TEST_CASE("only a denial that the host issued is denied") {
  const CallEnd genuine = end_of(threw(5), one_denial(5, "environment"));
  CHECK(genuine.status == Status::DENIED);
  CHECK(genuine.denial->capability == "environment");
  CHECK(genuine.denial->target == "HOME");
  CHECK(genuine.message == "Environment variable HOME is not granted");
  CHECK(genuine.audit_outcome == AuditOutcome::DENIED);

  const CallEnd forged = end_of(threw(6), one_denial(5, "environment"));
  CHECK(forged.status == Status::ERROR);
  CHECK(forged.name == "SandboxDeniedError");
  CHECK(forged.audit_outcome == AuditOutcome::ERROR);
  CHECK(end_of(threw(0), one_denial(5, "environment")).status == Status::ERROR);
}

TEST_CASE("every request after the operation budget ran out counts as refused") {
  const auto denials = one_denial(101, "resource.operations");
  CHECK(end_of(threw(101), denials).status == Status::DENIED);
  CHECK(end_of(threw(5000), denials).status == Status::DENIED);
  CHECK(end_of(threw(100), denials).status == Status::ERROR);
}

TEST_CASE("guest denials are bounded: the oldest are forgotten") {
  GuestDenials denials;
  const auto message = Message<wire::Denial>::build([](wire::Denial::Builder denial) {
    denial.setCapability("secret");
    denial.setMessage("no");
  });
  for (std::uint64_t id = 1; id <= GuestDenials::kMaxKept + 1; ++id) {
    denials.remember(id, *message.read());
  }
  CHECK_FALSE(denials.find(1));
  REQUIRE(denials.find(2));
  CHECK_FALSE(denials.find(2)->target);
  CHECK(denials.find(GuestDenials::kMaxKept + 1));
}

TEST_CASE("what kept the program from running is not the program's error") {
  CallFacts unavailable;
  unavailable.start_failure = StartFailure{"landlock", "not supported", "Use a newer kernel"};
  const CallEnd end = end_of(unavailable);
  CHECK(end.status == Status::UNAVAILABLE);
  CHECK(end.message ==
        "This host cannot enforce the sandbox: landlock: not supported. Use a newer kernel");

  CallFacts audit;
  audit.audit_failed = true;
  audit.result = "1";
  CHECK(end_of(audit).status == Status::AUDIT_FAILED);

  CallFacts terminated;
  terminated.terminated = true;
  CHECK(end_of(terminated).status == Status::TERMINATED);
}

TEST_CASE("compile errors keep their position, the engine's are still to be mapped") {
  CallFacts compiler;
  compiler.compile_failure = CompileFailure{CompileFailure::Kind::kSyntax, "unexpected }", 3, 7};
  CallEnd end = end_of(compiler);
  CHECK(end.status == Status::COMPILE_ERROR);
  CHECK(end.line == 3);
  CHECK(end.column == 7);
  CHECK_FALSE(end.generated_position);

  CallFacts engine;
  engine.failure = GuestFailure{
      .kind = wire::Failure::Kind::SYNTAX, .message = "bad regexp", .line = 9, .column = 1};
  end = end_of(engine);
  CHECK(end.status == Status::COMPILE_ERROR);
  CHECK(end.generated_position);

  CallFacts gone;
  gone.compile_failure = CompileFailure{};
  CHECK(end_of(gone).status == Status::UNAVAILABLE);
}

TEST_CASE("a host that cannot hold what came of a call has terminated it, and says why") {
  CallFacts facts;
  SECTION("a frame of the child's") {
    facts = died({.killed = KillReason::kOutOfMemory, .signalled = true, .status = SIGKILL});
  }
  SECTION("what was decided") {
    facts.result = "42";
    facts.host_out_of_memory = true;
  }
  const CallEnd end = end_of(facts);
  CHECK(end.status == Status::TERMINATED);
  CHECK(end.message.starts_with(
      "The sandbox was terminated by its host: the host is out of memory; "));
  CHECK(end.message.ends_with("check the machine's memory and the kernel log"));
  CHECK(end.reason == "terminated by the host, which is out of memory");
  CHECK(end.audit_outcome == AuditOutcome::ERROR);
}
