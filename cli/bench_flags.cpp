#include "cli/bench_flags.h"

#include <cordon/runtime.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "benchmarks/load/workload.h"
#include "cli/comma_list.h"
#include "cli/units.h"

namespace cordon {
namespace {

// Callers are threads and sandboxes are processes: more says nothing about one machine.
constexpr std::uint64_t kMaxCallers = 1024;
constexpr std::uint64_t kMaxSandboxes = 4096;
constexpr std::uint64_t kMaxTrips = 100'000;
constexpr std::uint64_t kMaxInFlight = 65'536;
constexpr std::uint64_t kMaxHours = 24;
constexpr double kMaxRate = 100'000;
constexpr double kMaxTolerance = 1000;  // percent
constexpr std::uint64_t kAny = ~std::uint64_t{0};

using Parse = Result<std::uint64_t, UsageError> (*)(std::string_view);

Result<std::uint64_t, UsageError> parse_count_or_none(std::string_view text) {
  if (text == "0") return std::uint64_t{0};
  if (const auto count = parse_count(text)) return *count;
  return UsageError{"expected a whole number from 0"};
}

// The flag's value if it was given, at most `max`: `most`, as people type it.
Result<std::optional<std::uint64_t>, UsageError> given(const char* flag, Parse parse,
                                                       const std::optional<std::string>& typed,
                                                       std::uint64_t max, std::string most = "") {
  if (!typed) return std::optional<std::uint64_t>();
  const auto value = parse(*typed);
  if (!value) return UsageError{flag, "=", *typed, ": ", value.error().message};
  if (most.empty()) most = std::to_string(max);
  if (*value > max) return UsageError{flag, "=", *typed, ": too large: at most ", most};
  return std::optional<std::uint64_t>(*value);
}

// A number above `above` and up to `most`, followed by `unit`.
std::optional<double> parse_number(std::string_view text, std::string_view unit, double above,
                                   double most) {
  if (!text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(unit.size());
  double number = 0;
  const auto [end, status] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(number > above && number <= most)) return std::nullopt;
  return number;
}

std::chrono::milliseconds milliseconds(std::uint64_t count) {
  return std::chrono::milliseconds(count);
}

}  // namespace

BenchFlags::BenchFlags(CLI::App& command) : audit_(command) {
  const auto option = [&command](const char* flag, auto& value, const char* type, const char* help,
                                 const char* group) {
    command.add_option(flag, value, help)->type_name(type)->group(group);
  };
  const auto flag = [&command](const char* name, bool& value, const char* help, const char* group) {
    command.add_flag(name, value, help)->group(group);
  };
  option("--jobs", jobs_, "NAMES", "Which jobs, such as J1,J2 [all; J1 in an open loop]", "What");
  flag("--targets", targets_, "Every figure that Cordon has a target for, and where it stands",
       "What");
  flag("--sweep", sweep_,
       "Open loops at 10 to 120 % of what a closed loop can have: latency against load", "What");
  option("--sandboxes", sandboxes_, "COUNT", "Sandboxes alive at once in J4, J4p and J4w [50]",
         "What");
  option("--trips", trips_, "COUNT", "Round trips of one call in J2 [1000]", "What");
  option("--callers", callers_, "COUNT",
         "Calls at one time: each caller begins its next when its last has ended [-j, or 1]",
         "Load");
  option("--duration", duration_, "TIME", "How long calls are begun, for each job [3s]", "Load");
  option("--calls", calls_, "COUNT", "At most so many calls of each job [any number]", "Load");
  option("--warm-up", warm_up_, "COUNT|TIME", "Calls before, which are not counted [20]", "Load");
  option("--rate", rate_, "N/s", "An open loop: calls are due so often, whether or not others end",
         "Open loop");
  option("--arrivals", arrivals_, "KIND",
         "constant, or poisson: as of many independent callers [constant]", "Open loop");
  option("--seed", seed_, "NUMBER", "Of the times of poisson [1]", "Open loop");
  option("--in-flight", in_flight_, "COUNT", "Calls that may be under way at one time [2048]",
         "Open loop");
  option("--queue", queue_, "COUNT",
         "Calls that may wait in the runtime; more are refused as busy [1024]", "Open loop");
  option("-j,--parallel", parallel_, "COUNTS",
         "Sandboxes that run at one time; 1,2 runs each job with both [as many as callers; in an "
         "open loop twice the CPUs]",
         "Runtime");
  option("--spare-children", spares_, "COUNT",
         "Processes forked ahead of need [0, and in J1w one more than callers]", "Runtime");
  flag("--json", json_, "Print one JSON object instead of tables", "Output");
  option("--save", save_, "FILE", "Write the JSON object to a file as well", "Output");
  option("--compare", compare_, "FILE", "Compare with the JSON of an earlier run of the same jobs",
         "Output");
  option("--tolerance", tolerance_, "PERCENT",
         "What --compare takes for noise; exit code 1 when something is worse by more [10%]",
         "Output");
  option("--plot", plot_, "FILE", "Write a page of HTML that shows percentiles", "Output");
  flag("--soak", soak_,
       "Print memory, descriptors, threads and processes over time, and whether "
       "they grew",
       "Output");
}

std::optional<UsageError> BenchFlags::conflict() const {
  if (targets_) {
    if (sweep_ || rate_ || jobs_ || callers_ || parallel_ || spares_) {
      return UsageError{
          "--targets: has jobs, callers and rates of its own; leave out --jobs, --callers, -j, "
          "--spare-children, --rate and --sweep"};
    }
  }
  if (sweep_ && rate_) return UsageError{"--rate: --sweep has rates of its own"};
  if (rate_ && callers_) return UsageError{"--callers: with --rate, calls do not wait for others"};
  if (!rate_ && !sweep_ && (arrivals_ || seed_ || in_flight_ || queue_)) {
    return UsageError{"--arrivals, --seed, --in-flight, --queue: need --rate or --sweep"};
  }
  if (tolerance_ && !compare_) return UsageError{"--tolerance: needs --compare FILE"};
  if (save_ && plot_ && *save_ == *plot_) return UsageError{"--plot: is the file of --save"};
  return std::nullopt;
}

Result<std::vector<std::string>, UsageError> BenchFlags::jobs() const {
  std::vector<std::string> all;
  for (const load::JobTitle& title : load::job_titles()) all.emplace_back(title.name);
  const bool open = sweep_ || rate_;
  if (!jobs_) return open ? std::vector<std::string>{"J1"} : all;
  auto names = split_comma_list(*jobs_);
  if (!names) return UsageError{"--jobs: ", names.error().message};
  for (const std::string& name : *names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      return UsageError{"--jobs: no job ", name, "; see cordon bench --help"};
    }
    if (std::count(names->begin(), names->end(), name) > 1) {
      return UsageError{"--jobs: ", name, " is there twice"};
    }
    if (open && !load::calls_in_a_loop(name)) {
      return UsageError{"--jobs: ", name, " measures memory and has no rate"};
    }
  }
  return names;
}

Result<std::vector<std::optional<std::size_t>>, UsageError> BenchFlags::parallels() const {
  std::vector<std::optional<std::size_t>> counts;
  if (!parallel_) return std::vector<std::optional<std::size_t>>(1);
  const auto items = split_comma_list(*parallel_);
  if (!items) return UsageError{"-j: ", items.error().message};
  for (const std::string& item : *items) {
    const auto count = given("-j", parse_count, item, kMaxCallers);
    if (!count) return count.error();
    if (std::find(counts.begin(), counts.end(), *count) != counts.end()) {
      return UsageError{"-j: ", item, " is there twice"};
    }
    counts.emplace_back(**count);
  }
  return counts;
}

std::optional<UsageError> BenchFlags::set_warm_up(load::LoadSettings& settings) const {
  if (!warm_up_) return std::nullopt;
  if (const auto count = parse_count(*warm_up_)) {
    settings.warm_up_calls = *count;
    return std::nullopt;
  }
  const auto time = parse_duration(*warm_up_);
  if (!time || *time > kMaxHours * 3'600'000) {
    return UsageError{"--warm-up=", *warm_up_,
                      ": expected a number of calls from 1, or a time such as 2s"};
  }
  settings.warm_up_time = milliseconds(*time);
  return std::nullopt;
}

std::optional<UsageError> BenchFlags::set_open_loop(load::LoadSettings& settings) const {
  if (rate_) {
    settings.per_second = parse_number(*rate_, "/s", 0, kMaxRate);
    if (!settings.per_second) {
      return UsageError{"--rate=", *rate_,
                        ": expected calls per second up to 100000, such as 50/s"};
    }
  }
  if (arrivals_) {
    if (*arrivals_ == "poisson") {
      settings.arrivals = load::ArrivalKind::kPoisson;
    } else if (*arrivals_ != "constant") {
      return UsageError{"--arrivals=", *arrivals_, ": expected constant or poisson"};
    }
  }
  const auto seed = given("--seed", parse_count, seed_, kAny);
  const auto in_flight = given("--in-flight", parse_count, in_flight_, kMaxInFlight);
  const auto queue = given("--queue", parse_count, queue_, kMaxInFlight);
  for (const auto* each : {&seed, &in_flight, &queue}) {
    if (!*each) return each->error();
  }
  settings.seed = seed->value_or(settings.seed);
  settings.max_in_flight = in_flight->value_or(settings.max_in_flight);
  settings.max_queued = queue->value_or(settings.max_queued);
  return std::nullopt;
}

Result<load::LoadSettings, UsageError> BenchFlags::settings() const {
  const auto callers = given("--callers", parse_count, callers_, kMaxCallers);
  const auto duration = given("--duration", parse_duration, duration_, kMaxHours * 3'600'000,
                              std::to_string(kMaxHours) + "h");
  const auto calls = given("--calls", parse_count, calls_, kAny);
  const auto sandboxes = given("--sandboxes", parse_count, sandboxes_, kMaxSandboxes);
  const auto trips = given("--trips", parse_count, trips_, kMaxTrips);
  const auto spares = given("--spare-children", parse_count_or_none, spares_, kMaxSpareChildren);
  for (const auto* each : {&callers, &duration, &calls, &sandboxes, &trips, &spares}) {
    if (!*each) return each->error();
  }
  auto audit = audit_.options();
  if (!audit) return audit.error();
  load::LoadSettings settings;
  if (*callers) settings.callers = **callers;
  if (*duration) settings.duration = milliseconds(**duration);
  settings.calls = *calls;
  settings.sandboxes = sandboxes->value_or(settings.sandboxes);
  settings.round_trips = trips->value_or(settings.round_trips);
  settings.spare_children = *spares;
  settings.audit = *std::move(audit);
  if (auto error = set_warm_up(settings)) return *std::move(error);
  if (auto error = set_open_loop(settings)) return *std::move(error);
  return settings;
}

Result<BenchPlan, UsageError> BenchFlags::plan() const {
  if (auto error = conflict()) return *std::move(error);
  auto names = jobs();
  if (!names) return names.error();
  auto counts = parallels();
  if (!counts) return counts.error();
  auto chosen = settings();
  if (!chosen) return chosen.error();
  BenchPlan plan{.what = targets_ ? BenchPlan::What::kTargets
                         : sweep_ ? BenchPlan::What::kSweep
                                  : BenchPlan::What::kJobs,
                 .jobs = *std::move(names),
                 .parallels = *std::move(counts),
                 .settings = *std::move(chosen),
                 .json = json_,
                 .soak = soak_,
                 .save = save_,
                 .compare = compare_,
                 .plot = plot_};
  if (tolerance_) {
    constexpr double kPercent = 100;
    const auto percent = parse_number(*tolerance_, "%", 0, kMaxTolerance);
    if (!percent) return UsageError{"--tolerance=", *tolerance_, ": expected such as 10%"};
    plan.tolerance = *percent / kPercent;
  }
  return plan;
}

}  // namespace cordon
