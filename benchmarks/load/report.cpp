#include "benchmarks/load/report.h"

#include <algorithm>

#include "benchmarks/load/sweep.h"
#include "benchmarks/load/text_table.h"

namespace cordon::load {
namespace {

std::string mebibytes(std::uint64_t kib) { return short_number(static_cast<double>(kib) / 1024); }

std::string known_mebibytes(std::uint64_t kib) { return kib == 0 ? "-" : mebibytes(kib); }

std::vector<std::string> job_row(const JobReport& report) {
  const Summary& s = report.samples;
  const auto of_loop = [&](double value) {
    return report.calls_per_second > 0 ? short_number(value) : std::string("-");
  };
  return {label(report),
          report.unit,
          short_number(s.p50),
          short_number(s.p90),
          short_number(s.p99),
          short_number(s.p999),
          short_number(s.max),
          short_number(s.mean),
          std::to_string(report.calls),
          of_loop(report.calls_per_second),
          of_loop(report.host_cpu_ms),
          of_loop(report.child_cpu_ms),
          of_loop(report.service_cpu_ms),
          known_mebibytes(report.host_kib_after),
          known_mebibytes(report.service_kib_after)};
}

std::string kinds_table(const JobReport& report) {
  Rows rows = {{report.job + ", by kind", "unit", "p50", "p90", "p99", "p99.9", "max", "calls"}};
  for (const KindReport& kind : report.kinds) {
    const Summary& s = kind.samples;
    rows.push_back({kind.kind, "ms", short_number(s.p50), short_number(s.p90), short_number(s.p99),
                    short_number(s.p999), short_number(s.max), std::to_string(s.count)});
  }
  return "\n" + text_table(rows, 2);
}

std::string open_table(std::span<const JobReport> reports) {
  Rows rows = {{"open loop", "/s asked", "arrivals", "/s had", "busy", "wrong", "held", "unbegun",
                "lag p99 ms", "p99/p50"}};
  for (const JobReport& report : reports) {
    if (!report.open) continue;
    const OpenLoad& load = *report.open;
    rows.push_back({label(report), short_number(load.per_second), load.arrivals,
                    short_number(report.calls_per_second), std::to_string(load.busy),
                    std::to_string(load.wrong), std::to_string(load.held),
                    std::to_string(load.unbegun), short_number(load.start_lag_ms.p99),
                    short_number(tail_ratio(report.samples))});
  }
  if (rows.size() == 1) return {};
  std::string text = "\n" + text_table(rows, 1) +
                     "Times run from when a call was due. busy: refused, the queue being full. "
                     "held: waited for\nothers to end. lag: how long after it was due a call "
                     "began.\n";
  for (const JobReport& report : reports) {
    if (!report.open) continue;
    if (report.open->fell_behind(report.samples)) {
      text += label(report) + ": calls began late, so that the load was less even than asked for\n";
    }
    if (report.open->wrong > 0) {
      text += label(report) + ": a call went wrong: " + report.open->first_wrong + "\n";
    }
  }
  return text;
}

// Of each job that was swept.
std::string steady_lines(std::span<const JobReport> all) {
  std::string text;
  for (const JobReport& first : all) {
    if (first.open) continue;
    std::vector<JobReport> swept;
    std::copy_if(all.begin(), all.end(), std::back_inserter(swept), [&](const JobReport& each) {
      return each.job == first.job && each.open && each.open->capacity_percent;
    });
    if (swept.size() < 2) continue;
    const JobReport* steady = highest_steady(swept);
    text += first.job + ": " + short_number(first.calls_per_second) +
            " calls per second in a closed loop; the highest with p99 below 3 times p50: " +
            (steady ? short_number(steady->open->per_second) + " (" +
                          short_number(*steady->open->capacity_percent) + " %)"
                    : std::string("no rate that was tried")) +
            "\n";
    if (const JobReport* at_80 = at_percent(swept, 80)) {
      const double ratio = tail_ratio(at_80->samples);
      text += first.job + " at 80 %: p99 is " + short_number(ratio) +
              " times p50 (target: below 3, " +
              (!kept_up(*at_80)       ? "missed: calls piled up"
               : ratio < kSteadyRatio ? "met"
                                      : "missed") +
              ")\n";
    }
  }
  return text;
}

// How throughput grows with what may run at one time.
std::string scaling_lines(std::span<const JobReport> reports) {
  std::string text;
  for (const JobReport& one : reports) {
    if (one.open || one.parallel != 1) continue;
    for (const JobReport& more : reports) {
      if (more.open || more.job != one.job || more.parallel <= 1) continue;
      text += label(more) + ": " + short_number(more.calls_per_second / one.calls_per_second) +
              " times the calls per second of -j 1\n";
    }
  }
  return text;
}

std::string bound(const Target& target, double value) {
  return (target.better == Better::kLower ? "≤ " : "≥ ") + short_number(value);
}

std::string stalls_line(const Stalls& stalls) {
  return "Stalls of this machine, " + short_number(stalls.watched_s) +
         " s before: " + std::to_string(stalls.over_one_ms) + " of over 1 ms, the longest of " +
         short_number(stalls.longest_ms) + " ms; " + short_number(stalls.lost_percent) +
         " % of the time of all CPUs. No tail can be better.\n";
}

}  // namespace

std::string machine_line(const BenchReport& report) {
  const Machine& m = report.machine;
  const auto huge = [](std::uint64_t kib) { return kib == 0 ? "none" : mebibytes(kib) + " MiB"; };
  return "Cordon " + m.cordon + ", " + report.engine + ", " + huge(report.huge_text_kib) +
         " of its code and " + huge(report.huge_data_kib) + " of its data on huge pages. " +
         std::to_string(m.cpus) + " CPUs (" + m.cpu + "), Linux " + m.kernel + ", load average " +
         short_number(m.load_before) + " before and " + short_number(m.load_after) + " after, " +
         m.date + ".\n" + (m.stalls ? stalls_line(*m.stalls) : "");
}

std::string report_table(const BenchReport& report) {
  Rows rows = {{"job", "unit", "p50", "p90", "p99", "p99.9", "max", "mean", "calls", "/s", "host",
                "child", "services", "host", "services"}};
  for (const JobReport& job : report.jobs) rows.push_back(job_row(job));
  std::string text =
      text_table(rows, 2) +
      "/s: calls per second. host, child, services: CPU ms per call of this process, the\n"
      "sandboxes, zygote and compiler; then memory in MiB (PSS) of this process and the "
      "engine's.\n";
  for (const JobReport& job : report.jobs) {
    if (!job.kinds.empty()) text += kinds_table(job);
  }
  text += open_table(report.jobs) + steady_lines(report.jobs) + scaling_lines(report.jobs);
  return text + machine_line(report);
}

std::string footprint_table(const BenchReport& report) {
  Rows rows = {{"job", "at s", "host MiB", "services MiB", "descriptors", "threads", "processes"}};
  std::string verdicts;
  for (const JobReport& job : report.jobs) {
    for (const Footprint& look : job.footprints) {
      rows.push_back({label(job), short_number(look.seconds), mebibytes(look.host_kib),
                      mebibytes(look.service_kib), std::to_string(look.descriptors),
                      std::to_string(look.threads), std::to_string(look.processes)});
    }
    if (job.footprints.empty()) continue;
    const std::string grown = growth(job.footprints);
    verdicts += label(job) + ": " + (grown.empty() ? "flat" : grown) + "\n";
  }
  return text_table(rows, 1) +
         "host, services: resident sets of this process, of zygote and compiler. The looks in "
         "between "
         "find\nthe loop's threads and the sandboxes of that moment.\n" +
         verdicts;
}

std::string standings_table(std::span<const Standing> standings) {
  Rows rows = {{"job", "unit", "p50", "p99", "target", "stretch", "verdict"}};
  for (const Standing& standing : standings) {
    const Target& target = *standing.target;
    rows.push_back({std::string(target.figure), std::string(target.unit),
                    short_number(standing.value), standing.p99 ? short_number(*standing.p99) : "",
                    bound(target, target.target),
                    target.stretch == target.target ? "" : bound(target, target.stretch),
                    to_string(judge(standing))});
  }
  return text_table(rows, 2);
}

}  // namespace cordon::load
