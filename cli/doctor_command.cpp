#include "cli/doctor_command.h"

#include <cordon/runtime.h>

#include <signal.h>

#include "actors/engine_directory.h"
#include "cli/doctor/bait.h"
#include "cli/doctor/doctor_report.h"
#include "cli/doctor/engine_checks.h"
#include "cli/doctor/layer_checks.h"
#include "cli/doctor/program_checks.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

namespace cordon {
namespace {

void append(doctor::Findings& all, doctor::Findings more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

doctor::Findings check_runtime(const std::filesystem::path& probe, const doctor::HostBait& bait,
                               bool with_commands) {
  doctor::Findings findings;
  try {
    Runtime runtime;
    findings = check_programs(runtime, bait);
    if (with_commands) append(findings, check_commands(runtime, probe, bait));
  } catch (const Unavailable& error) {
    findings.push_back({"program", "start", "start the engine and the compilers",
                        doctor::State::kMissing, true,
                        "cordon-engine, cordon-esbuild, cordon-transpiler", error.what(),
                        "see what is said above"});
  }
  return findings;
}

// What comes later relies on what came before: where that does not hold, nothing more is run.
doctor::Findings examine(bool with_commands) {
  const auto probe = engine_directory({}) / "cordon-probe";
  const doctor::HostBait bait;
  doctor::Findings findings = check_layers(probe, bait);
  if (all_hold(findings)) append(findings, check_engine(probe, bait));
  if (all_hold(findings)) {
    append(findings, check_runtime(probe, bait, with_commands));
  } else {
    findings.push_back({"program", "all", "run programs and commands", doctor::State::kNotTried,
                        true, "", "the above has to hold first", ""});
  }
  return findings;
}

}  // namespace

DoctorCommand::DoctorCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand(
          "doctor", "Find out by attacks whether this host can enforce the sandbox")) {
  command_.add_flag("--json", json_, "Print one JSON object instead of a table");
  command_.add_flag("--without-commands", without_commands_,
                    "Leave out the sandbox of spawn's commands, which needs bubblewrap");
  command_.footer(
      "Four examinations, each of which needs the one before: every mechanism alone (and "
      "the\nsame attack without it), the locked-down process as a whole, programs in the real "
      "engine,\nand commands in their sandbox. Attacks are harmless where they succeed, and are "
      "aimed at\nbait that is laid out for the purpose. Run it as the user that programs will be "
      "run by.\n\n"
      "What is optional is needed only by policies that ask for it, such as limits of memory "
      "over\nall processes of a command.\n\n"
      "Exit codes: 0 all that is required holds; 2 usage; 3 something required is missing, or "
      "was\nbroken through.");
}

int DoctorCommand::execute() const {
  ::signal(SIGPIPE, SIG_IGN);  // of children that die over an attempt
  const doctor::Findings findings = examine(!without_commands_);
  const bool printed =
      json_ ? print_data(report_json(findings)) : print_text(report_table(findings));
  if (!printed) return kExitError;
  return all_hold(findings) ? kExitOk : kExitSandbox;
}

}  // namespace cordon
