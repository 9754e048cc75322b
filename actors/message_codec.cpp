// The messages of <cordon/actors.h>, made and read for those who know no schema.

#include <cordon/actors.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "actors/call_id.h"
#include "actors/options_codec.h"
#include "actors/subprocess_report.h"
#include "actors/wire_messages.h"
#include "actors/wire_text.h"
#include "audit/chain.h"

namespace cordon {

namespace {

constexpr std::size_t kFreshIdBytes = 16;

constexpr std::array kConsoleLevels = {"log", "info", "warn", "error", "debug"};
constexpr std::array kFunctions = {"environment", "secret",    "readText",
                                   "writeText",   "fetchText", "spawn"};

kj::ArrayPtr<const kj::byte> as_data(const std::string& text) {
  return kj::arrayPtr(reinterpret_cast<const kj::byte*>(text.data()), text.size());
}

std::string as_text(capnp::Data::Reader data) {
  return {reinterpret_cast<const char*>(data.begin()), data.size()};
}

std::uint64_t micros(double millis) {
  return static_cast<std::uint64_t>(std::llround(std::max(millis, 0.0) * 1000));
}

// The name's place among the names of an enumeration that the schema defines.
template <class Names>
std::uint16_t place_of(const Names& names, std::string_view name, const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument(std::string(what) + ": there is no \"" + std::string(name) + "\"");
  }
  return static_cast<std::uint16_t>(found - names.begin());
}

template <class Names, class Enum>
const char* name_of(const Names& names, Enum value) {
  const auto place = static_cast<std::size_t>(value);
  return place < names.size() ? names[place] : "";
}

void write_usage(wire::Usage::Builder out, const Usage& usage) {
  out.setWallUs(micros(usage.wall_ms));
  out.setQueueUs(micros(usage.queue_ms));
  out.setCpuUs(micros(usage.cpu_ms));
  out.setPeakMemoryBytes(usage.peak_memory_bytes);
  out.setOperations(usage.operations);
  out.setBytesIn(usage.bytes_in);
  out.setBytesOut(usage.bytes_out);
}

}  // namespace

// ---------------------------------------------------------------------------------------- calls

CallMessage make_call(const Call& call) {
  if (call.arguments.json().front() != '[') {
    throw std::invalid_argument("arguments must be a JSON array");
  }
  if (!call.id.empty() && !is_call_id(call.id)) {
    throw std::invalid_argument("id must be 1 to 128 letters, digits, '.', '_', ':' or '-'");
  }
  if (!call.options.tools.empty()) {
    throw InvalidOption("tools", "cannot be in a message; use AISandbox or PreparedProgram");
  }
  const std::string id = call.id.empty() ? random_hex(kFreshIdBytes) : call.id;
  const auto fill = [&](wire::Call::Builder out) {
    out.setSandbox(as_kj(id));
    out.setSource(as_kj(call.source));
    out.setSourceName(as_kj(call.source_name));
    out.setEntry(call.entry == Entry::kScript ? wire::Entry::SCRIPT : wire::Entry::MODULE);
    out.setArguments(as_data(call.arguments.json()));
    out.setTenant(as_kj(call.tenant));
    write_options(out.initOptions(), call.options);
    if (call.tests) out.setTests(as_kj(*call.tests));
    out.setAssertModule(call.assert_module);
    if (call.seed) out.initRandom().setSeed(*call.seed);
    if (call.clock) out.initClock().setUnixMs(call.clock->time_since_epoch().count());
  };
  return CallMessage::build(fill, call.source.size() + call.arguments.json().size());
}

Call read_call(const CallMessage& message) {
  const auto in = message.read();
  Call call{.id = as_string(in->getSandbox()),
            .source = as_string(in->getSource()),
            .arguments = Value::from_json(as_text(in->getArguments())),
            .options = read_options(in->getOptions()),
            .entry = in->getEntry() == wire::Entry::SCRIPT ? Entry::kScript : Entry::kModule,
            .source_name = as_string(in->getSourceName()),
            .tenant = as_string(in->getTenant()),
            .assert_module = in->getAssertModule()};
  if (in->hasTests()) call.tests = as_string(in->getTests());
  if (in->hasRandom()) call.seed = in->getRandom().getSeed();
  if (in->hasClock()) {
    call.clock.emplace(std::chrono::milliseconds(in->getClock().getUnixMs()));
  }
  return call;
}

OutcomeMessage make_outcome(const Outcome& outcome) {
  return OutcomeMessage::build([&](wire::Outcome::Builder out) {
    // Both enumerations list the contract's statuses in its order.
    out.setStatus(static_cast<wire::Status>(outcome.status));
    if (outcome.result) out.setValue(as_data(outcome.result->json()));
    if (outcome.error) {
      auto error = out.initError();
      error.setName(as_kj(outcome.error->name));
      error.setMessage(as_kj(outcome.error->message));
      error.setStack(as_kj(outcome.error->stack));
      error.setLine(outcome.error->line);
      error.setColumn(outcome.error->column);
      error.setInTests(outcome.error->in_tests);
    }
    if (outcome.denial) {
      auto denial = out.initDenial();
      denial.setCapability(as_kj(outcome.denial->capability));
      denial.setMessage(as_kj(outcome.denial->message));
      if (outcome.denial->target) denial.setTarget(as_kj(*outcome.denial->target));
    }
    out.setConsoleText(as_kj(outcome.console));
    out.setConsoleTruncated(outcome.console_truncated);
    write_usage(out.initUsage(), outcome.usage);
    out.setSignal(outcome.signal.value_or(0));
    if (outcome.subprocess) write_report(out.initSubprocess(), *outcome.subprocess);
    out.setSandbox(as_kj(outcome.sandbox));
  });
}

ConsoleMessage make_console_line(const ConsoleLine& line) {
  const auto level = place_of(kConsoleLevels, line.level, "level");
  return ConsoleMessage::build([&](wire::ConsoleText::Builder out) {
    out.setLevel(static_cast<wire::ConsoleText::Level>(level));
    out.setText(as_kj(line.text));
    out.setTruncated(line.truncated);
  });
}

ConsoleLine read_console_line(const ConsoleMessage& message) {
  const auto in = message.read();
  const std::string level = name_of(kConsoleLevels, in->getLevel());
  return {level.empty() ? "log" : level, as_string(in->getText()), in->getTruncated()};
}

// --------------------------------------------------------------------------------------- budget

LeaseRequestMessage make_lease_request(const LeaseRequest& request) {
  const auto function = place_of(kFunctions, request.function, "function");
  return LeaseRequestMessage::build([&](wire::LeaseRequest::Builder out) {
    out.setSandbox(as_kj(request.sandbox));
    out.setTenant(as_kj(request.tenant));
    out.setFunction(static_cast<wire::Function>(function));
  });
}

LeaseRequest read_lease_request(const LeaseRequestMessage& message) {
  const auto in = message.read();
  return {as_string(in->getSandbox()), as_string(in->getTenant()),
          name_of(kFunctions, in->getFunction())};
}

LeaseMessage make_lease(const Lease& lease) {
  return LeaseMessage::build([&](wire::Lease::Builder out) {
    out.setSerial(lease.serial);
    out.setGranted(lease.granted);
    if (!lease.reason.empty()) out.setReason(as_kj(lease.reason));
  });
}

Lease read_lease(const LeaseMessage& message) {
  const auto in = message.read();
  return {in->getSerial(), in->getGranted(), as_string(in->getReason())};
}

SettlementMessage make_settlement(const Settlement& settlement) {
  return SettlementMessage::build([&](wire::Settlement::Builder out) {
    out.setSandbox(as_kj(settlement.sandbox));
    out.setTenant(as_kj(settlement.tenant));
    out.setSerial(settlement.serial);
  });
}

Settlement read_settlement(const SettlementMessage& message) {
  const auto in = message.read();
  return {as_string(in->getSandbox()), as_string(in->getTenant()), in->getSerial()};
}

// ---------------------------------------------------------------------------------------- audit

AuditRecordMessage make_audit_record(const SandboxAuditEvent& event) {
  const auto amount = [](const std::optional<std::uint64_t>& value) {
    return value ? static_cast<std::int64_t>(*value) : -1;
  };
  return AuditRecordMessage::build([&](wire::AuditRecord::Builder out) {
    out.setSandbox(as_kj(event.sandbox));
    out.setCapability(as_kj(event.capability));
    if (event.operation) out.setOperation(as_kj(*event.operation));
    if (event.target) out.setTarget(as_kj(*event.target));
    // Both enumerations are in the same order.
    out.setOutcome(static_cast<wire::AuditOutcome>(event.outcome));
    if (event.reason) out.setReason(as_kj(*event.reason));
    out.setDurationUs(event.duration_ms ? static_cast<std::int64_t>(micros(*event.duration_ms))
                                        : -1);
    out.setBytes(amount(event.bytes));
    out.setCount(amount(event.count));
  });
}

SandboxAuditEvent read_audit_record(const AuditRecordMessage& message) {
  return unplaced_event(*message.read());
}

AuditReceiptMessage make_audit_receipt(const SandboxAuditEvent& placed) {
  return AuditReceiptMessage::build([&](wire::AuditReceipt::Builder out) {
    out.setSeq(placed.seq);
    out.setTimestamp(placed.timestamp);
    out.setHash(as_kj(placed.hash));
  });
}

}  // namespace cordon
