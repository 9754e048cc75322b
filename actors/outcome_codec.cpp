#include "actors/outcome_codec.h"

#include "actors/checked_value.h"
#include "actors/subprocess_report.h"
#include "actors/wire_text.h"

namespace cordon {

namespace {

Status read_status(wire::Status status) {
  switch (status) {
    case wire::Status::OK:
      return Status::kOk;
    case wire::Status::ERROR:
      return Status::kError;
    case wire::Status::COMPILE_ERROR:
      return Status::kCompileError;
    case wire::Status::DENIED:
      return Status::kDenied;
    case wire::Status::TIMEOUT:
      return Status::kTimeout;
    case wire::Status::CPU_LIMIT:
      return Status::kCpuLimit;
    case wire::Status::OUT_OF_MEMORY:
      return Status::kOutOfMemory;
    case wire::Status::OUTPUT_LIMIT:
      return Status::kOutputLimit;
    case wire::Status::CRASHED:
      return Status::kCrashed;
    case wire::Status::TERMINATED:
      return Status::kTerminated;
    case wire::Status::UNAVAILABLE:
      return Status::kUnavailable;
    case wire::Status::AUDIT_FAILED:
      return Status::kAuditFailed;
  }
  return Status::kUnavailable;
}

double millis(std::uint64_t micros) { return static_cast<double>(micros) / 1000.0; }

Usage read_usage(wire::Usage::Reader in) {
  return {.wall_ms = millis(in.getWallUs()),
          .queue_ms = millis(in.getQueueUs()),
          .cpu_ms = millis(in.getCpuUs()),
          .peak_memory_bytes = in.getPeakMemoryBytes(),
          .operations = in.getOperations(),
          .bytes_in = in.getBytesIn(),
          .bytes_out = in.getBytesOut()};
}

}  // namespace

Outcome read_outcome(const OutcomeMessage& message) {
  const auto in = message.read();
  Outcome out;
  out.status = read_status(in->getStatus());
  if (out.status == Status::kOk) {
    const auto text = in->getValue();
    // The sandbox actor takes nothing else for a result.
    out.result = checked_value({reinterpret_cast<const char*>(text.begin()), text.size()});
  }
  if (in->hasError()) {
    const auto error = in->getError();
    out.error = OutcomeError{as_string(error.getName()),  as_string(error.getMessage()),
                             as_string(error.getStack()), error.getLine(),
                             error.getColumn(),           error.getInTests()};
  }
  if (in->hasDenial()) {
    const auto denial = in->getDenial();
    out.denial =
        OutcomeDenial{as_string(denial.getCapability()), as_string(denial.getMessage()), {}};
    if (denial.hasTarget()) out.denial->target = as_string(denial.getTarget());
  }
  out.console = as_string(in->getConsoleText());
  out.console_truncated = in->getConsoleTruncated();
  out.usage = read_usage(in->getUsage());
  if (in->getSignal() != 0) out.signal = in->getSignal();
  if (in->hasSubprocess()) out.subprocess = read_report(in->getSubprocess());
  out.sandbox = as_string(in->getSandbox());
  return out;
}

OutcomeEnd read_end(const OutcomeMessage& message) {
  const auto in = message.read();
  return {read_status(in->getStatus()), read_usage(in->getUsage())};
}

}  // namespace cordon
