#pragma once
// How one call ended. Never an exception for what a guest did.

#include <cstdint>
#include <optional>
#include <string>

#include <cordon/subprocess_report.h>
#include <cordon/value.h>

namespace cordon {

enum class Status : std::uint8_t {
  kOk,
  kError,         // the guest threw
  kCompileError,  // the source is not TypeScript
  kDenied,        // the guest did not catch a refusal that the host issued
  kTimeout,       // wall clock
  kCpuLimit,
  kOutOfMemory,
  kOutputLimit,  // the result's size
  kCrashed,      // the child died otherwise
  kTerminated,   // by the host
  kUnavailable,  // this host cannot enforce the sandbox: nothing was run
  kAuditFailed,  // the audit could not be written: the run was stopped
};

// "ok", "compile_error", ...: the names of contract section 4.
const char* to_string(Status status) noexcept;

struct OutcomeError {
  std::string name;
  std::string message;
  std::string stack;  // positions in the TypeScript source; empty when there is none
  // 1-based position of a compile error in the TypeScript source; 0 when unknown.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  // The program itself had completed: this is about its tests (ProgramOptions::tests).
  bool in_tests = false;
};

struct OutcomeDenial {
  std::string capability;
  std::string message;
  std::optional<std::string> target;
};

// CPU time and memory are 0 when somebody else has reaped the child: in a program that ignores
// SIGCHLD, has set SA_NOCLDWAIT, or waits for children that are not its own.
struct Usage {
  double wall_ms = 0;  // from the call's start, queueing excluded
  double queue_ms = 0;
  double cpu_ms = 0;  // the child's user and system time
  std::uint64_t peak_memory_bytes =
      0;                         // largest resident set, pages shared with the engine included
  std::uint64_t operations = 0;  // capability calls that reached the host
  std::uint64_t bytes_in = 0;    // frames to the child
  std::uint64_t bytes_out = 0;   // frames from the child
};

struct Outcome {
  Status status = Status::kUnavailable;
  std::optional<Value> result;          // kOk
  std::optional<OutcomeError> error;    // every status but kOk
  std::optional<OutcomeDenial> denial;  // kDenied and the limits
  std::string console;                  // well-formed UTF-8, a line per console call
  bool console_truncated = false;
  Usage usage;
  std::optional<int> signal;                   // kCrashed by a signal
  std::optional<SubprocessReport> subprocess;  // the walls around its commands, if it ran any
  std::string sandbox;                         // the call's id, as in its audit events

  // The result, or throws SandboxDeniedError (kDenied and limits) or SandboxError (all others).
  const Value& value() const;
};

}  // namespace cordon
