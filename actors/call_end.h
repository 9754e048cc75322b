#pragma once
// From the facts at a call's end to its one outcome: a pure function, no actor needed to test it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "actors/compile/compiler_client.h"
#include "actors/guest_denials.h"
#include "actors/services.h"
#include "messages/audit.capnp.h"
#include "messages/call.capnp.h"

namespace cordon {

// What the child claims about why there is no result. Copied, bounded, still hostile.
struct GuestFailure {
  wire::Failure::Kind kind = wire::Failure::Kind::THREW;
  std::string name = {};
  std::string message = {};
  std::string stack = {};
  std::uint64_t denied_by = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool in_tests = false;
};

struct CallLimits {
  std::uint64_t wall_clock_ms = 0;
  std::uint64_t cpu_ms = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t result_bytes = 0;
  std::uint64_t source_bytes = 0;
};

// What is known when a call is over. At most one of the failures is set.
struct CallFacts {
  std::optional<StartFailure> start_failure = {};      // nothing was run
  std::optional<CompileFailure> compile_failure = {};  // nothing was run
  bool tests_did_not_compile = false;                  // what compile_failure is about
  bool audit_failed = false;
  bool terminated = false;                 // by the caller, or an actor of the call died
  bool host_out_of_memory = false;         // it cannot hold what came of the call
  KillReason limit = KillReason::kNone;    // kWallClock, kCpu: reached before the child was done
  std::optional<std::string> result = {};  // tagged JSON text, checked
  std::optional<GuestFailure> failure = {};
  bool broke_protocol = false;         // the child, whether it was still there to be killed or not
  std::optional<ChildExit> exit = {};  // of a child that said neither
};

struct CallEnd {
  wire::Status status = wire::Status::CRASHED;
  std::string name;  // error name; empty when ok
  std::string message;
  std::string stack;       // raw, from the child
  std::uint32_t line = 0;  // compile errors, in the TypeScript
  std::uint32_t column = 0;
  bool in_tests = false;            // it is about the tests of a program that had completed
  bool generated_position = false;  // line and column are the JavaScript's and still to be mapped
  std::optional<GivenDenial> denial;
  int signal = 0;
  // For the `execute` event: host-written words.
  wire::AuditOutcome audit_outcome = wire::AuditOutcome::ERROR;
  std::string reason;
  // The event of its own of a limit that ended the run: "resource.wallClock", ...; empty: none.
  std::string limit_capability;
};

CallEnd decide_end(const CallFacts& facts, const CallLimits& limits, const GuestDenials& denials);

}  // namespace cordon
