#include "cli/bench_command.h"

#include <cordon/runtime.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "benchmarks/load/compare.h"
#include "benchmarks/load/plot.h"
#include "benchmarks/load/processes.h"
#include "benchmarks/load/report.h"
#include "benchmarks/load/report_json.h"
#include "benchmarks/load/sweep.h"
#include "benchmarks/load/targets.h"
#include "benchmarks/load/workload.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/scratch_directory.h"
#include "cli/text_file.h"

namespace cordon {
namespace {

constexpr std::uint64_t kMaxReportBytes = std::uint64_t{16} << 20;
constexpr std::chrono::seconds kStallsWatched{2};

std::string footer() {
  std::string text = "Jobs:\n";
  for (const load::JobTitle& title : load::job_titles()) {
    std::string name(title.name);
    name.resize(5, ' ');
    text += "  " + name + std::string(title.text) + "\n";
  }
  return text + R"(
Every call has a sandbox and a source text of its own, so that no cache can serve it, and its
result is checked. A sample is the time from the call to its outcome, in J2 that of one round
trip and in J4, J4p and J4w memory. In an open loop it is the time from when a call
was due to its outcome, whatever the job, so that waiting for others counts.

Examples:
  cordon bench --jobs=J1 -j 1,2                      how throughput grows with parallel sandboxes
  cordon bench --jobs=J1 --rate=200/s --arrivals=poisson
  cordon bench --sweep --plot=sweep.html             latency against load
  cordon bench --jobs=mix --callers=4 --duration=10m --soak
  cordon bench --save=before.json                    and later: --compare=before.json

Exit codes: 0 ok; 1 a call had a wrong result, nothing could be measured, or a figure is worse than
that of --compare; 2 usage; 3 this host cannot enforce the sandbox.)";
}

int refuse(const UsageError& error) {
  tell("cordon: ", error.message);
  return kExitUsage;
}

// One run of the command.
class Bench {
 public:
  explicit Bench(const BenchPlan& plan) : plan_(plan) {}

  int run() {
    if (const auto error = prepare()) return refuse(*error);
    try {
      measure();
    } catch (const Unavailable& error) {
      tell("cordon: ", error.what());
      return kExitSandbox;
    } catch (const load::WrongResult& error) {
      tell("cordon: ", error.what());
      return kExitError;
    }
    return report_.jobs.empty() ? kExitError : publish();
  }

 private:
  // Everything that can be refused before hours are spent on measuring.
  std::optional<UsageError> prepare() {
    if (plan_.compare) {
      auto text = read_text_file(*plan_.compare, {kMaxReportBytes});
      if (!text) return about_comparison(text.error().message);
      auto report = load::read_report(*text);
      if (!report) return about_comparison(report.error().message);
      earlier_ = *std::move(report);
      if (plan_.what != BenchPlan::What::kTargets && job_names(*earlier_) != job_names(plan_)) {
        return about_comparison("it is of other jobs than --jobs");
      }
    }
    if (auto error = open_output("--save", plan_.save, save_)) return error;
    return open_output("--plot", plan_.plot, plot_);
  }

  static std::optional<UsageError> open_output(const char* flag,
                                               const std::optional<std::string>& name,
                                               std::optional<OutputFile>& file) {
    if (!name) return std::nullopt;
    auto opened = OutputFile::open(flag, *name);
    if (!opened) return opened.error();
    file = *std::move(opened);
    return std::nullopt;
  }

  UsageError about_comparison(const std::string& why) const {
    return {"--compare=", *plan_.compare, ": ", why};
  }

  static std::set<std::string> job_names(const load::BenchReport& report) {
    std::set<std::string> names;
    for (const load::JobReport& job : report.jobs) names.insert(job.job);
    return names;
  }
  static std::set<std::string> job_names(const BenchPlan& plan) {
    return {plan.jobs.begin(), plan.jobs.end()};
  }

  void measure() {
    const auto progress = [](std::string_view what) { tell("bench: ", what); };
    const ScratchDirectory scratch("cordon-bench");
    load::LoadSettings settings = plan_.settings;
    settings.directory = scratch.path();
    report_.machine = load::this_machine();
    if (plan_.what == BenchPlan::What::kTargets || plan_.what == BenchPlan::What::kSweep) {
      progress("how often this machine stands still");
      report_.machine.stalls = load::watch_for_stalls(kStallsWatched);
    }
    if (plan_.what == BenchPlan::What::kTargets) {
      load::StandingsResult result = load::measure_standings(settings, progress);
      add(std::move(result.reports), result.engine);
      standings_ = std::move(result.standings);
    } else {
      for (const std::string& job : plan_.jobs) {
        try {
          measure_job(job, settings, progress);
        } catch (const load::Unreadable& why) {
          progress(job + " is left out: " + why.what());
        }
      }
    }
    report_.machine.load_after = load::load_average();
  }

  void measure_job(const std::string& job, load::LoadSettings settings,
                   const std::function<void(std::string_view)>& progress) {
    for (const auto& parallel : plan_.parallels) {
      settings.parallel = parallel;
      if (plan_.what == BenchPlan::What::kSweep) {
        load::SweepResult result = load::sweep(job, settings, load::kSweepPercents, progress);
        add(std::move(result.reports), result.engine);
      } else {
        load::Measured measured = load::measure_job(job, settings);
        add({std::move(measured.report)}, measured.engine);
      }
      if (!load::calls_in_a_loop(job)) return;  // nothing of it is about parallel calls
    }
  }

  void add(std::vector<load::JobReport> reports, const EngineInfo& engine) {
    constexpr int kKibi = 10;
    report_.engine = engine.version;
    report_.huge_text_kib = engine.huge_text_bytes >> kKibi;
    report_.huge_data_kib = engine.huge_data_bytes >> kKibi;
    std::move(reports.begin(), reports.end(), std::back_inserter(report_.jobs));
  }

  int publish() {
    const std::string json = load::report_json(report_, standings_);
    if (save_) {
      if (const auto error = save_->write(json + "\n")) return refuse(*error);
    }
    if (plot_) {
      if (const auto error = plot_->write(load::report_page(report_))) return refuse(*error);
    }
    if (!(plan_.json ? print_data(json) : print_text(tables()))) return kExitError;
    const int compared = compare();
    if (compared != kExitOk) return compared;
    return any_wrong() ? kExitError : kExitOk;
  }

  std::string tables() const {
    std::string text = load::report_table(report_);
    if (plan_.soak) text += "\n" + load::footprint_table(report_);
    if (!standings_.empty()) text += "\n" + load::standings_table(standings_);
    return text;
  }

  bool any_wrong() const {
    return std::any_of(report_.jobs.begin(), report_.jobs.end(),
                       [](const load::JobReport& job) { return job.open && job.open->wrong > 0; });
  }

  int compare() const {
    if (!earlier_) return kExitOk;
    const auto comparison = load::compare(*earlier_, report_, plan_.tolerance);
    if (!comparison) return refuse(about_comparison(comparison.error().message));
    for (const std::string& doubt : comparison->doubts) tell("bench: hard to compare: ", doubt);
    const std::string table = load::comparison_table(*comparison);
    if (plan_.json) {
      tell_raw(table);
    } else if (!print_text("\n" + table)) {
      return kExitError;
    }
    return comparison->worse() ? kExitError : kExitOk;
  }

  const BenchPlan& plan_;
  std::optional<load::BenchReport> earlier_;
  std::optional<OutputFile> save_, plot_;
  load::BenchReport report_;
  std::vector<load::Standing> standings_;
};

}  // namespace

BenchCommand::BenchCommand(CLI::App& cordon)
    : command_(*cordon.add_subcommand("bench", "Measure sandboxes on this machine")),
      flags_(command_) {
  command_.footer(footer());
}

int BenchCommand::execute() const {
  const auto plan = flags_.plan();
  if (!plan) return refuse(plan.error());
  return Bench(*plan).run();
}

}  // namespace cordon
