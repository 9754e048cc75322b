#include "cli/audit_verify.h"

#include <nlohmann/json.hpp>

#include "audit/verify.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

namespace cordon {
namespace {

std::string report_json(const VerifyReport& report) {
  nlohmann::ordered_json json = {{"good", report.good()},
                                 {"events", report.count},
                                 {"head", report.head},
                                 {"files", report.files},
                                 {"checkpoints", report.checkpoints},
                                 {"signedThrough", report.signed_through}};
  if (report.problem) {
    json["problem"] = {{"kind", to_string(report.problem->kind)},
                       {"line", report.problem->line},
                       {"message", report.problem->message}};
    if (!report.problem->file.empty()) json["problem"]["file"] = report.problem->file;
  }
  return json.dump();
}

std::string sentence(const VerifyReport::Problem& problem, const std::string& trail) {
  const std::string line = problem.line > 0 ? ":" + std::to_string(problem.line) : "";
  return (problem.file.empty() ? trail : problem.file) + line + ": " + problem.message;
}

std::string head_problem(const std::string& hash) {
  const bool is_hash =
      hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_hash ? "" : "a head is 64 hexadecimal digits in lower case";
}

}  // namespace

AuditVerify::AuditVerify(CLI::App& audit)
    : command_(*audit.add_subcommand(
          "verify", "Check that no event of a trail was changed, removed or reordered")) {
  command_.add_option("FILE", file_, "The trail, as run --audit wrote it: a file or a database")
      ->required()
      ->type_name("");
  command_
      .add_option("--expect-head", expected_head_,
                  "A head noted earlier: the trail must hold that event")
      ->type_name("HASH")
      ->check(head_problem);
  command_
      .add_option("--public-key", public_keys_,
                  "An Ed25519 key (PEM) that checkpoints must be signed by; may be repeated")
      ->type_name("FILE")
      ->take_all();
  command_.footer(
      "Files that the trail was before (FILE.000001, ...) are checked with it.\n"
      "Exit codes: 0 the trail is good; 1 it is not; 2 usage, or FILE cannot be read.");
}

int AuditVerify::execute() const {
  VerifyOptions options{.expected_head = expected_head_};
  for (const std::string& file : public_keys_) {
    auto key = PublicKey::load(file);
    if (!key) {
      tell("cordon: --public-key=", key.error());
      return kExitUsage;
    }
    options.keys.push_back(std::move(*key));
  }
  const VerifyReport report = verify_log(file_, options);
  if (report.problem) tell("cordon: ", sentence(*report.problem, file_));
  if (!print_data(report_json(report))) return kExitError;
  if (!report.problem) return kExitOk;
  return report.problem->kind == LogProblem::kUnreadable ? kExitUsage : kExitError;
}

}  // namespace cordon
