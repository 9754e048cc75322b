#include "cli/run_command.h"

#include <cordon/sandbox.h>

#include <string_view>

#include "cli/arguments.h"
#include "cli/exit_codes.h"
#include "cli/flag_names.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/text_file.h"

namespace cordon {
namespace {

Outcome failed(Status status, const char* name, const std::string& message) {
  Outcome outcome;
  outcome.status = status;
  outcome.error.emplace();
  outcome.error->name = name;
  outcome.error->message = message;
  return outcome;
}

UsageError with_flag(const InvalidOption& error) {
  const std::string_view flag = flag_of_option(error.field());
  if (flag.empty()) return {error.what()};
  return {flag, ": ", error.what()};
}

int usage_error(const UsageError& error) {
  tell("cordon: ", error.message);
  return kExitUsage;
}

}  // namespace

RunCommand::RunCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand("run", "Run one TypeScript program in a sandbox of its own")),
      grants_(command_),
      limits_(command_) {
  command_.add_option("FILE", file_, "The program: one TypeScript module")
      ->required()
      ->type_name("");
  command_
      .add_flag("--script", script_,
                "The top level is the program: no default export is called, no result printed")
      ->group("Program");
  command_.add_flag("--jitless", jitless_, "Run without just-in-time compilation")
      ->group("Program");
  command_
      .add_flag("--json", json_,
                "Print the whole outcome (status, value, console, usage, audit) as one JSON object")
      ->group("Output");
  command_
      .add_option("--audit", audit_file_,
                  "Append the audit trail to this file and print its head on stderr")
      ->type_name("FILE")
      ->group("Output");
  command_.footer(
      "ARG...: what follows -- is passed to the default export; an argument that is JSON is that\n"
      "value, any other a string. Lists: repeat a flag or separate items by commas (,, is a "
      "comma).\n"
      "TIME has a unit: 20ms, 30s, 2m. SIZE too: 256M, 1G. Nothing is granted unless a flag says "
      "so.\n"
      "\n"
      "Exit codes: 0 ok; 1 error, compile error or result too large; 2 usage; 3 this host cannot\n"
      "enforce the sandbox, or the audit failed; 4 denied; 124 out of time; 130 terminated;\n"
      "137 out of memory; 139 crashed.");
}

Result<RunCommand::Program, UsageError> RunCommand::load(
    const std::vector<std::string>& arguments) const {
  auto resources = limits_.resources();
  if (!resources) return resources.error();
  auto options = grants_.options(Surroundings::of_this_process(), *resources);
  if (!options) return options.error();
  auto source = read_text_file(file_, {resources->max_source_bytes, "--max-source-bytes"});
  if (!source) return UsageError{file_, ": ", source.error().message};
  auto values = parse_arguments(arguments);
  if (!values) return values.error();
  return Program{.source = *std::move(source),
                 .name = std::filesystem::path(file_).filename().string(),
                 .options = *std::move(options),
                 .arguments = *std::move(values)};
}

Result<RunCommand::Ending, UsageError> RunCommand::run(Program program) const {
  Ending ending;
  RuntimeOptions runtime_options;
  runtime_options.max_concurrent_calls = 1;
  runtime_options.jit = !jitless_;
  if (audit_file_) runtime_options.audit_file = *audit_file_;
  if (json_) {  // one event at a time, and none after the call has returned
    runtime_options.on_audit = [&](const SandboxAuditEvent& event) {
      ending.audit_events.push_back(to_json(event));
    };
  }

  ProgramOptions entry;
  entry.entry = script_ ? ProgramOptions::Entry::kScript : ProgramOptions::Entry::kModule;
  entry.source_name = program.name;
  entry.on_console = [](std::string_view, std::string_view text) { tell_raw(console_line(text)); };

  try {
    Runtime runtime(std::move(runtime_options));
    AISandbox sandbox(runtime, std::move(program.source), std::move(program.options),
                      std::move(entry));
    const Interrupts interrupts([&sandbox] { sandbox.terminate(); });
    ending.outcome = sandbox.call(program.arguments);
    ending.audit_head = runtime.audit_head();
  } catch (const InvalidOption& error) {
    return with_flag(error);
  } catch (const CallError& error) {  // interrupted before the call began
    ending.outcome = failed(Status::kTerminated, "SandboxError", error.what());
  } catch (const Unavailable& error) {
    ending.outcome = failed(Status::kUnavailable, "SandboxError", error.what());
  }
  return ending;
}

int RunCommand::report(const Ending& ending, const std::string& name) const {
  const bool ok = ending.outcome.status == Status::kOk;
  tell_raw(describe_failure(ending.outcome, name));
  if (audit_file_ && !ending.audit_head.empty()) tell("audit head: ", ending.audit_head);

  bool printed = true;
  if (json_) {
    printed = print_data(outcome_json(ending.outcome, ending.audit_events));
  } else if (ok && !script_) {
    printed = print_data(ending.outcome.value().json());
  }
  if (ok) return printed ? kExitOk : kExitError;
  return exit_code(ending.outcome.status);
}

int RunCommand::execute(const std::vector<std::string>& arguments) const {
  auto program = load(arguments);
  if (!program) return usage_error(program.error());
  const std::string name = program->name;
  const auto ending = run(*std::move(program));
  if (!ending) return usage_error(ending.error());
  return report(*ending, name);
}

}  // namespace cordon
