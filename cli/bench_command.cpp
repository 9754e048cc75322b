#include "cli/bench_command.h"

#include <cordon/runtime.h>

#include <algorithm>
#include <thread>

#include "benchmarks/load/jobs.h"
#include "benchmarks/load/processes.h"
#include "benchmarks/load/report.h"
#include "cli/comma_list.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/units.h"

namespace cordon {
namespace {

// Callers are threads and sandboxes are processes: more says nothing about one machine.
constexpr std::uint64_t kMaxCallers = 1024;
constexpr std::uint64_t kMaxSandboxes = 4096;
constexpr std::uint64_t kMaxTrips = 100'000;
constexpr std::uint64_t kMaxHours = 24;

std::string footer() {
  std::string text = "Jobs:\n";
  for (const load::JobTitle& title : load::job_titles()) {
    std::string name(title.name);
    name.resize(5, ' ');
    text += "  " + name + std::string(title.text) + "\n";
  }
  return text +
         "\n"
         "Every call has a sandbox and a source text of its own, so that no cache can serve it, "
         "and "
         "its\n"
         "result is checked. A sample is the time from the call to its outcome, in J2 that of one "
         "round\n"
         "trip and in J4 and J4w the memory of one sandbox.\n"
         "\n"
         "Exit codes: 0 ok; 1 a call had a wrong result; 2 usage; 3 this host cannot enforce the "
         "sandbox.";
}

using Parse = Result<std::uint64_t, UsageError> (*)(std::string_view);

// The flag's value if it was given, at most `max`.
Result<std::optional<std::uint64_t>, UsageError> given(const char* flag, Parse parse,
                                                       const std::optional<std::string>& typed,
                                                       std::uint64_t max) {
  if (!typed) return std::optional<std::uint64_t>();
  const auto value = parse(*typed);
  if (!value) return UsageError{flag, "=", *typed, ": ", value.error().message};
  if (*value > max) return UsageError{flag, "=", *typed, ": more than can be had"};
  return std::optional<std::uint64_t>(*value);
}

int usage_error(const UsageError& error) {
  tell("cordon: ", error.message);
  return kExitUsage;
}

}  // namespace

BenchCommand::BenchCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand("bench", "Measure sandboxes on this machine")),
      audit_(command_) {
  const auto option = [this](const char* flag, auto& value, const char* type, const char* help,
                             const char* group) {
    command_.add_option(flag, value, help)->type_name(type)->group(group);
  };
  option("--jobs", jobs_, "NAMES", "Which jobs, such as J1,J2 [all]", "What");
  option("--sandboxes", sandboxes_, "COUNT", "Sandboxes alive at once in J4 and J4w [50]", "What");
  option("--trips", trips_, "COUNT", "Round trips of one call in J2 [1000]", "What");
  option("--callers", callers_, "COUNT",
         "Calls at one time: each caller begins its next when its last has ended [1]", "Load");
  option("--duration", duration_, "TIME", "How long calls are begun, for each job [3s]", "Load");
  option("--calls", calls_, "COUNT", "At most so many calls of each job [any number]", "Load");
  option("--warm-up", warm_up_, "COUNT", "Calls before, which are not counted [20]", "Load");
  option("--spare-children", spares_, "COUNT",
         "Processes forked ahead of need [0, and in J1w one more than callers]", "Runtime");
  command_.add_flag("--json", json_, "Print one JSON object instead of a table")->group("Output");
  command_.footer(footer());
}

Result<std::vector<std::string>, UsageError> BenchCommand::jobs() const {
  const auto titles = load::job_titles();
  std::vector<std::string> all;
  for (const load::JobTitle& title : titles) all.emplace_back(title.name);
  if (!jobs_) return all;
  auto names = split_comma_list(*jobs_);
  if (!names) return UsageError{"--jobs: ", names.error().message};
  for (const std::string& name : *names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      return UsageError{"--jobs: no job ", name, "; see cordon bench --help"};
    }
  }
  return names;
}

Result<load::LoadSettings, UsageError> BenchCommand::settings() const {
  constexpr std::uint64_t kAny = ~std::uint64_t{0};
  const auto callers = given("--callers", parse_count, callers_, kMaxCallers);
  const auto duration = given("--duration", parse_duration, duration_, kMaxHours * 3'600'000);
  const auto calls = given("--calls", parse_count, calls_, kAny);
  const auto warm_up = given("--warm-up", parse_count, warm_up_, kAny);
  const auto sandboxes = given("--sandboxes", parse_count, sandboxes_, kMaxSandboxes);
  const auto trips = given("--trips", parse_count, trips_, kMaxTrips);
  for (const auto* each : {&callers, &duration, &calls, &warm_up, &sandboxes, &trips}) {
    if (!*each) return each->error();
  }
  auto audit = audit_.options();
  if (!audit) return audit.error();
  load::LoadSettings settings;
  settings.callers = callers->value_or(settings.callers);
  if (*duration) settings.duration = std::chrono::milliseconds(**duration);
  settings.calls = *calls;
  settings.warm_up_calls = warm_up->value_or(settings.warm_up_calls);
  settings.sandboxes = sandboxes->value_or(settings.sandboxes);
  settings.round_trips = trips->value_or(settings.round_trips);
  settings.spare_children = spares_;
  settings.audit = *std::move(audit);
  return settings;
}

int BenchCommand::execute() const {
  const auto names = jobs();
  if (!names) return usage_error(names.error());
  const auto chosen = settings();
  if (!chosen) return usage_error(chosen.error());

  load::Machine machine{.cpus = std::thread::hardware_concurrency(),
                        .load_before = load::load_average()};
  std::vector<load::JobReport> reports;
  try {
    for (const std::string& name : *names) reports.push_back(load::measure_job(name, *chosen));
  } catch (const Unavailable& error) {
    tell("cordon: ", error.what());
    return kExitSandbox;
  } catch (const load::WrongResult& error) {
    tell("cordon: ", error.what());
    return kExitError;
  }
  machine.load_after = load::load_average();
  const std::string text =
      json_ ? load::report_json(machine, reports) : load::report_table(machine, reports);
  return print_data(text) ? kExitOk : kExitError;
}

}  // namespace cordon
