#include "cli/audit_command.h"

#include <nlohmann/json.hpp>

#include "audit/verify.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

namespace cordon {
namespace {

std::string report_json(const VerifyReport& report) {
  nlohmann::ordered_json json = {
      {"good", report.good()}, {"events", report.count}, {"head", report.head}};
  if (report.problem) {
    json["problem"] = {{"kind", to_string(report.problem->kind)},
                       {"line", report.problem->line},
                       {"message", report.problem->message}};
  }
  return json.dump();
}

std::string sentence(const VerifyReport::Problem& problem, const std::string& file) {
  const std::string line = problem.line > 0 ? ":" + std::to_string(problem.line) : "";
  return file + line + ": " + problem.message;
}

}  // namespace

AuditCommand::AuditCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand("audit", "Check audit trails")) {
  command_.require_subcommand(1);
  CLI::App& verify = *command_.add_subcommand(
      "verify", "Check that no event of a trail was changed, removed or reordered");
  verify.add_option("FILE", file_, "The trail, as run --audit=FILE wrote it")
      ->required()
      ->type_name("");
  verify
      .add_option("--expect-head", expected_head_,
                  "A head noted earlier: the trail must hold that event")
      ->type_name("HASH")
      ->check([](const std::string& hash) -> std::string {
        const bool is_hash =
            hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
        return is_hash ? "" : "a head is 64 hexadecimal digits in lower case";
      });
  verify.footer("Exit codes: 0 the trail is good; 1 it is not; 2 usage, or FILE cannot be read.");
}

int AuditCommand::execute() const {
  const VerifyReport report = verify_log(file_, {.expected_head = expected_head_});
  if (report.problem) tell("cordon: ", sentence(*report.problem, file_));
  if (!print_data(report_json(report))) return kExitError;
  if (!report.problem) return kExitOk;
  return report.problem->kind == LogProblem::kUnreadable ? kExitUsage : kExitError;
}

}  // namespace cordon
