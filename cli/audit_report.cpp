#include "cli/audit_report.h"

#include <vector>

#include "audit/event_export.h"
#include "audit/event_statistics.h"
#include "audit/grant_suggestion.h"
#include "cli/event_table.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

namespace cordon {
namespace {

constexpr std::size_t kExportBatch = 512;

}  // namespace

AuditStats::AuditStats(CLI::App& audit)
    : command_(*audit.add_subcommand("stats", "Count events and time them, by capability")),
      events_(command_) {
  command_.add_flag("--json", json_, "Print one JSON object instead of a table")->group("Output");
}

int AuditStats::execute() const {
  EventStatistics statistics;
  const int code = events_.for_each([&](const SandboxAuditEvent& event) {
    statistics.add(event);
    return true;
  });
  if (code != kExitOk) return code;
  const auto& all = statistics.finish();
  const bool printed = json_ ? print_data(statistics_json(all)) : print_text(statistics_table(all));
  return printed ? kExitOk : kExitError;
}

AuditSuggestGrants::AuditSuggestGrants(CLI::App& audit)
    : command_(*audit.add_subcommand(
          "suggest-grants", "Print the narrowest policy that allows what was used, as JSON")),
      events_(command_) {
  command_
      .add_flag("--include-denied", include_denied_, "And what was denied for the want of a grant")
      ->group("Output");
  command_.footer(
      "A trail holds no values and no methods: what is left to fill in is said on stderr.");
}

int AuditSuggestGrants::execute() const {
  using Denied = GrantSuggestion::Denied;
  GrantSuggestion suggestion(include_denied_ ? Denied::kIsAllowed : Denied::kStays);
  const int code = events_.for_each([&](const SandboxAuditEvent& event) {
    suggestion.add(event);
    return true;
  });
  if (code != kExitOk) return code;
  const SuggestedGrants grants = suggestion.finish();
  for (const std::string& note : grants.notes) tell("cordon: ", note);
  return print_data(grants.policy) ? kExitOk : kExitError;
}

AuditExport::AuditExport(CLI::App& audit)
    : command_(*audit.add_subcommand("export", "Print events in a format of others")),
      events_(command_) {
  command_
      .add_option("--format", format_,
                  "cloudevents: one CloudEvent a line; otlp: log records, 512 a line (OTLP/JSON)")
      ->required()
      ->type_name("FORMAT")
      ->group("Output")
      ->check(CLI::IsMember({"cloudevents", "otlp"}));
}

int AuditExport::execute() const {
  const bool otlp = format_ == "otlp";
  std::vector<SandboxAuditEvent> batch;
  bool printed = true;
  const auto flush = [&] {
    if (!batch.empty()) printed = print_data(to_otlp_logs(batch));
    batch.clear();
    return printed;
  };
  const int code = events_.for_each([&](const SandboxAuditEvent& event) {
    if (!otlp) return printed = print_data(to_cloud_event(event));
    batch.push_back(event);
    return batch.size() < kExportBatch || flush();
  });
  if (printed) flush();
  return printed ? code : kExitError;
}

}  // namespace cordon
