#include "actors/call_end.h"

#include <csignal>
#include <cstring>

#include "messages/exit_codes.h"

namespace cordon {

namespace {

using wire::AuditOutcome;
using wire::Status;

CallEnd failed(Status status, std::string name, std::string message, std::string reason) {
  CallEnd end;
  end.status = status;
  end.name = std::move(name);
  end.message = std::move(message);
  end.reason = std::move(reason);
  return end;
}

// A limit that ended the run, which the caller sees as a denial by that resource.
CallEnd limited(Status status, std::string capability, std::string message) {
  CallEnd end = failed(status, "SandboxDeniedError", message, message);
  end.denial = GivenDenial{0, capability, std::move(message), std::nullopt};
  end.audit_outcome = AuditOutcome::DENIED;
  end.limit_capability = std::move(capability);
  return end;
}

CallEnd out_of_time(KillReason limit, const CallLimits& limits) {
  if (limit == KillReason::kCpu) {
    return limited(Status::CPU_LIMIT, "resource.cpu",
                   "Execution exceeded " + std::to_string(limits.cpu_ms) +
                       "ms of CPU time (resources.maxCpuMs)");
  }
  return limited(Status::TIMEOUT, "resource.wallClock",
                 "Execution exceeded " + std::to_string(limits.wall_clock_ms) +
                     "ms of wall clock time (resources.wallClockMs)");
}

CallEnd out_of_memory(const CallLimits& limits) {
  return limited(Status::OUT_OF_MEMORY, "resource.memory",
                 "Execution exceeds " + std::to_string(limits.memory_bytes) +
                     " bytes of memory (resources.maxMemoryBytes)");
}

CallEnd result_too_large(const CallLimits& limits) {
  return limited(Status::OUTPUT_LIMIT, "resource.result",
                 "Execution result exceeds " + std::to_string(limits.result_bytes) +
                     " bytes (resources.maxResultBytes)");
}

CallEnd compile_error(const CompileFailure& failure, bool in_tests) {
  if (failure.kind == CompileFailure::Kind::kUnavailable) {
    return failed(Status::UNAVAILABLE, "SandboxError", failure.message, "compiler unavailable");
  }
  CallEnd end = failed(Status::COMPILE_ERROR, "CompileError",
                       (in_tests ? "In the tests: " : "") + failure.message, "compile error");
  end.line = failure.line;
  end.column = failure.column;
  end.in_tests = in_tests;
  return end;
}

CallEnd guest_failure(const GuestFailure& failure, const CallLimits& limits,
                      const GuestDenials& denials) {
  switch (failure.kind) {
    case wire::Failure::Kind::OUT_OF_MEMORY:
      return out_of_memory(limits);
    case wire::Failure::Kind::RESULT_TOO_LARGE:
      return result_too_large(limits);
    case wire::Failure::Kind::SYNTAX: {
      CallEnd end = failed(Status::COMPILE_ERROR, "CompileError", failure.message, "compile error");
      end.line = failure.line;
      end.column = failure.column;
      end.generated_position = true;
      return end;
    }
    case wire::Failure::Kind::THREW:
    case wire::Failure::Kind::STUCK:
    case wire::Failure::Kind::BAD_RESULT:
      break;
  }
  if (failure.denied_by != 0) {
    if (auto denial = denials.find(failure.denied_by)) {
      CallEnd end = failed(Status::DENIED, "SandboxDeniedError", denial->message,
                           "uncaught denial of " + denial->capability);
      end.stack = failure.stack;
      end.in_tests = failure.in_tests;
      end.denial = std::move(denial);
      end.audit_outcome = AuditOutcome::DENIED;
      return end;
    }
  }
  const bool threw = failure.kind == wire::Failure::Kind::THREW;
  CallEnd end = failed(Status::ERROR, failure.name, failure.message,
                       threw ? "the program threw" : "the program gave no usable result");
  end.stack = failure.stack;
  end.in_tests = failure.in_tests;
  return end;
}

CallEnd host_out_of_memory() {
  const StartFailure why = memory_failure();
  return failed(Status::TERMINATED, "SandboxError",
                "The sandbox was terminated by its host: " + why.message + "; " + why.remedy,
                "terminated by the host, which is out of memory");
}

// Of a signal that comes from neither the program nor Cordon.
std::string likely_cause(int signal) {
  if (signal == SIGKILL) {
    return ": the kernel does that where the machine or a control group is out of memory (see its "
           "log), if nobody else did";
  }
  if (signal == SIGXCPU) return ": this host's own limit of CPU time (RLIMIT_CPU, ulimit -t)";
  return "";
}

CallEnd child_died(const ChildExit& exit, const CallLimits& limits) {
  if (!exit.signalled && exit.status == kExitOutOfMemory) return out_of_memory(limits);
  if (!exit.signalled) {
    return failed(Status::CRASHED, "SandboxError",
                  "The sandbox process exited with status " + std::to_string(exit.status) +
                      " before it gave a result",
                  "the process exited");
  }
  const char* const abbreviation = ::sigabbrev_np(exit.status);
  const std::string signal =
      abbreviation != nullptr ? "SIG" + std::string(abbreviation) : std::to_string(exit.status);
  CallEnd end =
      failed(Status::CRASHED, "SandboxError",
             "The sandbox process was ended by signal " + signal + likely_cause(exit.status),
             "ended by " + signal);
  end.signal = exit.status;
  return end;
}

}  // namespace

CallEnd decide_end(const CallFacts& facts, const CallLimits& limits, const GuestDenials& denials) {
  if (facts.audit_failed) {
    return failed(Status::AUDIT_FAILED, "SandboxError",
                  "The audit log could not be written, so the run was stopped", "audit failed");
  }
  if (facts.limit != KillReason::kNone) return out_of_time(facts.limit, limits);
  const ChildExit exit = facts.exit.value_or(ChildExit{});
  if (facts.host_out_of_memory || exit.killed == KillReason::kOutOfMemory) {
    return host_out_of_memory();
  }
  if (facts.terminated) {
    return failed(Status::TERMINATED, "SandboxError", "The sandbox was terminated by its host",
                  "terminated by the host");
  }
  if (facts.start_failure) {
    const auto& failure = *facts.start_failure;
    return failed(Status::UNAVAILABLE, "SandboxError", refusal(failure),
                  "sandbox unavailable: " + failure.mechanism);
  }
  if (facts.compile_failure) {
    return compile_error(*facts.compile_failure, facts.tests_did_not_compile);
  }
  if (facts.result) {
    if (facts.result->size() > limits.result_bytes) return result_too_large(limits);
    CallEnd end;
    end.status = Status::OK;
    end.audit_outcome = AuditOutcome::USED;
    return end;
  }
  if (facts.failure) return guest_failure(*facts.failure, limits, denials);
  if (facts.broke_protocol || exit.killed == KillReason::kProtocol) {
    return failed(Status::CRASHED, "SandboxError",
                  "The sandbox process broke its protocol and was ended", "protocol error");
  }
  return child_died(exit, limits);
}

}  // namespace cordon
