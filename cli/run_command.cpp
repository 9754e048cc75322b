#include "cli/run_command.h"

#include <cordon/policy_digest.h>
#include <cordon/sandbox.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "actors/process/blocking_threads.h"
#include "capabilities/policy_json.h"
#include "cli/arguments.h"
#include "cli/exit_codes.h"
#include "cli/flag_names.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/text_file.h"

namespace cordon {
namespace {

int refuse(const UsageError& error) {
  tell("cordon: ", error.message);
  return kExitUsage;
}

constexpr const char* kStandardInput = "-";

Result<std::string, UsageError> read_source(const std::string& file, TextLimit limit) {
  if (file != kStandardInput) return read_text_file(file, limit);
  // Of its own, so that descriptor 0 stays taken.
  const UniqueFd input(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  return read_text(input, limit);
}

std::string shown_name(const std::string& file) {
  return file == kStandardInput ? "standard input" : file;
}

std::string source_name(const std::string& file) {
  if (file == kStandardInput) return "stdin.ts";
  return std::filesystem::path(file).filename().string();
}

}  // namespace

RunCommand::RunCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand("run", "Run one TypeScript program in a sandbox of its own")),
      policy_(command_),
      audit_(command_) {
  command_.add_option("FILE", file_, "The program: one TypeScript module; - is standard input")
      ->type_name("");
  command_.callback([this] {
    if (file_.empty() && !print_policy_) throw CLI::RequiredError("FILE");
  });
  command_
      .add_flag("--script", script_,
                "The top level is the program: no default export is called, no result printed")
      ->group("Program");
  command_
      .add_flag("--module-assert", assert_module_,
                "Let the program import the built-in assert, as assert and node:assert")
      ->group("Program");
  command_.add_flag("--jitless", jitless_, "Run without just-in-time compilation")
      ->group("Program");
  command_
      .add_flag("--json", json_,
                "Print the whole outcome (status, value, console, usage, audit) as one JSON object")
      ->group("Output");
  command_
      .add_flag("--print-policy", print_policy_,
                "Run nothing: print what the flags and --policy add up to, secrets masked")
      ->group("Output");
  command_.footer(
      "ARG...: what follows -- is passed to the default export; an argument that is JSON is that\n"
      "value, any other a string. Lists: repeat a flag or separate items by commas (,, is a "
      "comma).\n"
      "TIME has a unit: 20ms, 30s, 2m. SIZE too: 256M, 1G. Nothing is granted unless a flag or "
      "the\n"
      "policy says so. Flags add to the policy's lists and replace its values; those with a name\n"
      "(variables, secrets, modules) one by one. Paths in a policy are absolute.\n"
      "\n"
      "Exit codes: 0 ok; 1 error, compile error or result too large; 2 usage; 3 this host cannot\n"
      "enforce the sandbox, or the audit failed; 4 denied; 124 out of time; 130 terminated;\n"
      "137 out of memory; 139 crashed.");
}

Result<RunCommand::Program, UsageError> RunCommand::load(
    AISandboxOptions options, const std::vector<std::string>& arguments) const {
  auto source = read_source(file_, {options.resources.max_source_bytes, "--max-source-bytes"});
  if (!source) return UsageError{shown_name(file_), ": ", source.error().message};
  auto values = parse_arguments(arguments);
  if (!values) return values.error();
  auto audit = audit_.options();
  if (!audit) return audit.error();
  audit->policy_digest = policy_digest(options);
  return Program{.source = *std::move(source),
                 .name = source_name(file_),
                 .options = std::move(options),
                 .audit = *std::move(audit),
                 .arguments = *std::move(values)};
}

Result<RunCommand::Ending, UsageError> RunCommand::run(Program program) const {
  Ending ending;
  RuntimeOptions runtime_options;
  runtime_options.max_concurrent_calls = 1;
  runtime_options.jit = !jitless_;
  runtime_options.audit = std::move(program.audit);
  if (json_) {  // one event at a time, and none after the call has returned
    runtime_options.on_audit = [&](const SandboxAuditEvent& event) {
      ending.audit_events.push_back(to_json(event));
    };
  }

  ProgramOptions entry;
  entry.entry = script_ ? ProgramOptions::Entry::kScript : ProgramOptions::Entry::kModule;
  entry.source_name = program.name;
  entry.assert_module = assert_module_;
  // A thread of its own: who reads standard error slowly holds up no call, and none of its limits.
  BlockingThreads console(1);
  entry.on_console = [&console](std::string_view, std::string_view text) {
    console.run([line = console_line(text)] { tell_raw(line); });
  };

  try {
    Runtime runtime(std::move(runtime_options));
    AISandbox sandbox(runtime, std::move(program.source), std::move(program.options),
                      std::move(entry));
    const Interrupts interrupts([&sandbox] { sandbox.terminate(); });
    ending.outcome = sandbox.call(program.arguments);
    ending.audit_head = runtime.audit_head();
    ending.audit_lost = runtime.audit_lost();
  } catch (const InvalidOption& error) {
    return usage_error(error);
  } catch (const CallError& error) {  // interrupted before the call began
    ending.outcome = failed_outcome(Status::kTerminated, "SandboxError", error.what());
  } catch (const AuditUnavailable& error) {
    ending.outcome = failed_outcome(Status::kAuditFailed, "SandboxError", error.what());
  } catch (const Unavailable& error) {
    ending.outcome = failed_outcome(Status::kUnavailable, "SandboxError", error.what());
  }
  return ending;
}

int RunCommand::report(const Ending& ending, const std::string& name) const {
  const bool ok = ending.outcome.status == Status::kOk;
  tell_raw(describe_failure(ending.outcome, name));
  if (ending.audit_lost > 0) {
    tell("cordon: ", "the audit trail lacks " + std::to_string(ending.audit_lost) +
                         " events that could not be written");
  }
  if (audit_.given() && !ending.audit_head.empty()) tell("audit head: ", ending.audit_head);

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
  ::signal(SIGPIPE, SIG_IGN);  // who reads only one of the streams gets that one whole
  auto options = policy_.options(Surroundings::of_this_process());
  if (!options) return refuse(options.error());
  if (print_policy_) {
    return print_data(options_to_json(*options, SecretMask::kMasked)) ? kExitOk : kExitError;
  }
  auto program = load(*std::move(options), arguments);
  if (!program) return refuse(program.error());
  const std::string name = program->name;
  const auto ending = run(*std::move(program));
  if (!ending) return refuse(ending.error());
  return report(*ending, name);
}

}  // namespace cordon
