// The audit trail without a disk: the chain and the lines of its events.

#include <memory>

#include "audit/audit_log.h"
#include "audit/event_json.h"
#include "benchmarks/paths/path.h"

namespace cordon::paths {
namespace {

constexpr std::int64_t kNowMs = 1'767'225'600'000;

AuditLog::Record record() {
  return AuditLog::Record::build([](wire::AuditRecord::Builder out) {
    out.setSandbox("0123456789abcdef-1");
    out.setCapability("filesystem.read");
    out.setTarget("/srv/data/report-of-the-day.txt");
    out.setOutcome(wire::AuditOutcome::USED);
    out.setDurationUs(123);
    out.setBytes(4096);
    out.setCount(-1);
  });
}

// A chain with one event, so that all that are measured follow another one.
std::shared_ptr<AuditLog> begun() {
  auto log = std::make_shared<AuditLog>([] { return kNowMs; });
  expect(log->append(record()).has_value(), "nothing was appended");
  return log;
}

Work append() {
  const auto log = begun();
  expect(log->append(record())->seq == 2, "the chain does not go on");
  return [log, event = record()] { keep(log->append(event)); };
}

Work write_line() {
  const auto event = *begun()->append(record());
  expect(parse_event(to_json(event)).has_value(), "a line that cannot be read");
  return [event] { keep(to_json(event)); };
}

Work read_line() {
  const std::string line = to_json(*begun()->append(record()));
  expect(parse_event(line)->seq == 2, "a line reads differently");
  return [line] { keep(parse_event(line)); };
}

}  // namespace

std::vector<Path> audit_paths() {
  return {
      {"audit/append", 500, append},
      {"audit/write line", 2000, write_line},
      {"audit/read line", 300, read_line},
  };
}

}  // namespace cordon::paths
