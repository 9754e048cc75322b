#include "benchmarks/load/compare.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "benchmarks/load/text_table.h"

namespace cordon::load {
namespace {

using Change = FigureChange::Change;

class Comparing {
 public:
  explicit Comparing(double tolerance) : tolerance_(tolerance) {}

  void job(const JobReport& before, const JobReport& now) {
    const std::string name = label(now);
    summary(name, now.unit, before.samples, now.samples);
    for (std::size_t i = 0; i < std::min(before.kinds.size(), now.kinds.size()); ++i) {
      summary(name + " " + now.kinds[i].kind, "ms", before.kinds[i].samples, now.kinds[i].samples);
    }
    if (now.calls_per_second > 0) loop(name, before, now);
    lower(name, "host KiB", kibibytes(before.host_kib_after), kibibytes(now.host_kib_after),
          kSmallKib);
    lower(name, "services KiB", kibibytes(before.service_kib_after),
          kibibytes(now.service_kib_after), kSmallKib);
  }

  void doubts(const BenchReport& before, const BenchReport& now) {
    const auto differ = [this](const char* what, const std::string& a, const std::string& b) {
      if (a != b)
        result_.doubts.push_back(std::string("another ") + what + ": " + a + ", now " + b);
    };
    differ("CPU", before.machine.cpu, now.machine.cpu);
    differ("number of CPUs", std::to_string(before.machine.cpus), std::to_string(now.machine.cpus));
    differ("kernel", before.machine.kernel, now.machine.kernel);
    differ("engine", before.engine, now.engine);
    const auto load = [](const Machine& m) { return std::max(m.load_before, m.load_after); };
    constexpr double kBusier = 2;
    if (std::abs(load(before.machine) - load(now.machine)) > kBusier) {
      differ("load average", short_number(load(before.machine)), short_number(load(now.machine)));
    }
  }

  Comparison result() && { return std::move(result_); }

 private:
  static constexpr double kSmallKib = 1024;
  static constexpr double kTickMs = 10;  // in which the kernel counts the CPU time of services

  static double kibibytes(std::uint64_t kib) { return static_cast<double>(kib); }

  void summary(const std::string& job, const std::string& unit, const Summary& before,
               const Summary& now) {
    lower(job, "p50 " + unit, before.p50, now.p50, 0);
    lower(job, "p90 " + unit, before.p90, now.p90, 0);
    lower(job, "p99 " + unit, before.p99, now.p99, 0);
  }

  void loop(const std::string& job, const JobReport& before, const JobReport& now) {
    add(job, "calls /s", before.calls_per_second, now.calls_per_second, 0, Change::kBetter);
    const auto calls =
        static_cast<double>(std::max<std::uint64_t>(std::min(before.calls, now.calls), 1));
    lower(job, "host CPU ms", before.host_cpu_ms, now.host_cpu_ms, 0);
    lower(job, "child CPU ms", before.child_cpu_ms, now.child_cpu_ms, 0);
    lower(job, "services CPU ms", before.service_cpu_ms, now.service_cpu_ms, 2 * kTickMs / calls);
  }

  void lower(const std::string& job, const std::string& figure, double before, double now,
             double counted_in) {
    add(job, figure, before, now, counted_in, Change::kWorse);
  }

  void add(const std::string& job, const std::string& figure, double before, double now,
           double counted_in, Change growth) {
    if (before == 0 && now == 0) return;
    const double ratio = before > 0 ? now / before : INFINITY;
    const Change fall = growth == Change::kWorse ? Change::kBetter : Change::kWorse;
    Change change = Change::kSame;
    if (std::abs(now - before) > counted_in) {
      if (ratio > 1 + tolerance_) change = growth;
      if (ratio < 1 - tolerance_) change = fall;
    }
    result_.figures.push_back({job, figure, before, now, ratio, change});
  }

  double tolerance_;
  Comparison result_;
};

// Empty when both were taken in the same way.
std::string other_setting(const JobReport& before, const JobReport& now) {
  std::string text;
  const auto differ = [&text](const char* what, const auto& a, const auto& b) {
    if (a != b && text.empty()) text = what;
  };
  differ("unit", before.unit, now.unit);
  differ("number of callers", before.callers, now.callers);
  differ("number of spare children", before.spare_children, now.spare_children);
  differ("number of round trips", before.round_trips, now.round_trips);
  differ("kind of loop", before.open.has_value(), now.open.has_value());
  if (before.open && now.open)
    differ("kind of arrivals", before.open->arrivals, now.open->arrivals);
  differ("number of kinds", before.kinds.size(), now.kinds.size());
  for (std::size_t i = 0; i < std::min(before.kinds.size(), now.kinds.size()); ++i) {
    differ("blend", before.kinds[i].kind, now.kinds[i].kind);
  }
  return text;
}

const JobReport* find(const std::vector<JobReport>& jobs, const std::string& name) {
  const auto found = std::find_if(jobs.begin(), jobs.end(),
                                  [&](const JobReport& job) { return label(job) == name; });
  return found == jobs.end() ? nullptr : &*found;
}

std::string names(const std::vector<JobReport>& jobs) {
  std::string text;
  for (const JobReport& job : jobs) text += (text.empty() ? "" : ", ") + label(job);
  return text.empty() ? "no job" : text;
}

}  // namespace

bool Comparison::worse() const {
  return std::any_of(figures.begin(), figures.end(),
                     [](const FigureChange& each) { return each.change == Change::kWorse; });
}

Result<Comparison, NotComparable> compare(const BenchReport& before, const BenchReport& now,
                                          double tolerance) {
  Comparing comparing(tolerance);
  for (const JobReport& job : now.jobs) {
    const JobReport* earlier = find(before.jobs, label(job));
    if (!earlier || before.jobs.size() != now.jobs.size()) {
      return NotComparable{"it is of other jobs: of " + names(before.jobs) + ", and this run of " +
                           names(now.jobs)};
    }
    const std::string other = other_setting(*earlier, job);
    if (!other.empty()) {
      return NotComparable{label(job) + " was measured with another " + other};
    }
    comparing.job(*earlier, job);
  }
  comparing.doubts(before, now);
  return std::move(comparing).result();
}

std::string comparison_table(const Comparison& comparison) {
  const auto name = [](Change change) {
    return change == Change::kWorse ? "worse" : change == Change::kBetter ? "better" : "";
  };
  Rows rows = {{"job", "figure", "before", "now", "ratio", ""}};
  for (const FigureChange& each : comparison.figures) {
    rows.push_back({each.job, each.figure, short_number(each.before), short_number(each.now),
                    short_number(each.ratio), name(each.change)});
  }
  return text_table(rows, 2);
}

}  // namespace cordon::load
