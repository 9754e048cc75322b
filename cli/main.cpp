// The command `cordon`. Standard output is data, standard error is people.

#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <string>
#include <system_error>

#include "actors/or_unavailable.h"
#include "cli/audit_command.h"
#include "cli/batch/batch_command.h"
#include "cli/bench_command.h"
#include "cli/command_line.h"
#include "cli/doctor_command.h"
#include "cli/exit_codes.h"
#include "cli/help_format.h"
#include "cli/open_files.h"
#include "cli/output.h"
#include "cli/run_command.h"
#include "cli/types_command.h"

namespace {

// `command`: whose help says more; empty where none was meant.
int usage_error(const std::string& message, const std::string& command = "") {
  cordon::tell("cordon: ", message);
  cordon::tell("See: ", command.empty() ? "cordon --help" : "cordon " + command + " --help");
  return cordon::kExitUsage;
}

// The command that is meant, with one of its own if it has such.
std::string meant_command(CLI::App& app, std::span<const std::string> words) {
  std::string name;
  CLI::App* at = &app;
  for (const std::string& word : words) {
    const auto named =
        at->get_subcommands([&word](CLI::App* each) { return each->get_name() == word; });
    if (named.empty()) break;
    at = named.front();
    name += (name.empty() ? "" : " ") + word;
  }
  return name;
}

int run(std::span<const char* const> argv) {
  auto line = cordon::split_command_line(argv);
  if (!line) return usage_error(line.error().message);

  CLI::App app("Runs TypeScript that nobody has reviewed, each program in a locked-down process.",
               "cordon");
  app.set_version_flag("--version", "cordon " CORDON_VERSION);
  app.formatter(cordon::help_format());
  app.require_subcommand(0, 1);
  const cordon::RunCommand run_command(app);
  const cordon::BatchCommand batch_command(app);
  const cordon::AuditCommand audit_command(app);
  const cordon::TypesCommand types_command(app);
  const cordon::BenchCommand bench_command(app);
  const cordon::DoctorCommand doctor_command(app);
  try {
    // CLI11 takes the words from the back.
    app.parse(std::vector<std::string>(line->command.rbegin(), line->command.rend()));
  } catch (const CLI::ExtrasError& error) {
    return usage_error(std::string(error.what()) +
                           (run_command.chosen() ? "; the program's arguments follow --" : ""),
                       meant_command(app, line->command));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return usage_error(error.what(), meant_command(app, line->command));
  }
  if (run_command.chosen()) return run_command.execute(line->arguments);
  if (!line->arguments.empty()) return usage_error("only run takes arguments after --");
  if (batch_command.chosen()) return batch_command.execute();
  if (audit_command.chosen()) return audit_command.execute();
  if (types_command.chosen()) return types_command.execute();
  if (bench_command.chosen()) return bench_command.execute();
  if (doctor_command.chosen()) return doctor_command.execute();
  return usage_error("a command is needed, such as run");
}

}  // namespace

int main(int argc, char** argv) {
  if (!cordon::take_standard_streams()) return cordon::kExitSandbox;
  cordon::allow_many_open_files();
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of a write
  try {
    return cordon::or_unavailable([&] { return run({argv, static_cast<std::size_t>(argc)}); });
  } catch (const cordon::Unavailable& error) {
    cordon::tell("cordon: ", error.what());
    return cordon::kExitSandbox;
  } catch (const std::system_error& error) {
    cordon::tell("cordon: ", error.what());
    return cordon::kExitSandbox;
  } catch (const std::exception& error) {
    cordon::tell("cordon: internal error: ", error.what());
    return cordon::kExitSandbox;
  }
}
