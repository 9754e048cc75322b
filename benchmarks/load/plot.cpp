#include "benchmarks/load/plot.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>
#include <vector>

#include "benchmarks/load/line_chart.h"
#include "benchmarks/load/report.h"
#include "benchmarks/load/sweep.h"
#include "benchmarks/load/text_table.h"

namespace cordon::load {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ink:#1c2330;--soft:#5d6675;--line:#d9dee7;--page:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#a4adbb;--line:#343c4a;--page:#151a22}}
body{margin:0 auto;max-width:60rem;padding:2rem 1.25rem;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2.25rem 0 .25rem}
p{color:var(--soft);margin:.25rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:right;padding:.3rem .5rem;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}
th{color:var(--soft);font-weight:600}th:first-child,td:first-child{text-align:left}
)css";

bool swept(const JobReport& report) { return report.open && report.open->capacity_percent; }

LineChart::Line percentile_line(std::span<const JobReport> rates, const char* name,
                                double Summary::*percentile) {
  LineChart::Line line{name, {}};
  for (const JobReport& rate : rates) {
    const double value = rate.samples.*percentile;
    if (value <= 0) continue;
    line.points.push_back({*rate.open->capacity_percent, value,
                           short_number(value) + " ms at " + short_number(rate.open->per_second) +
                               " calls per second"});
  }
  return line;
}

// `rates`: the open loops of one sweep.
std::string sweep_chart(const std::string& job, std::span<const JobReport> rates) {
  LineChart chart;
  chart.y_title = "milliseconds since a call was due";
  const double capacity = rates.front().open->per_second / *rates.front().open->capacity_percent;
  chart.x_title = "load in % of the " + short_number(capacity * 100) +
                  " calls per second of a closed loop; arrivals: " + rates.front().open->arrivals;
  chart.x_ticks.push_back({0, "0"});
  for (const JobReport& rate : rates) {
    const double percent = *rate.open->capacity_percent;
    chart.x_ticks.push_back({percent, std::to_string(std::lround(percent))});
  }
  chart.lines = {percentile_line(rates, "p50", &Summary::p50),
                 percentile_line(rates, "p90", &Summary::p90),
                 percentile_line(rates, "p99", &Summary::p99),
                 percentile_line(rates, "p99.9", &Summary::p999)};
  const JobReport* steady = highest_steady(rates);
  std::string words = "p99 is below 3 times p50 at no rate that was tried";
  if (steady) {
    words = "the highest with p99 below 3 times p50: " + short_number(steady->open->per_second) +
            " per second";
    chart.marker = ChartTick{*steady->open->capacity_percent, words};
  }
  chart.description = "Percentiles of the latency of " + job + " against load. " + words + ".";
  return "<h2>" + one_line_html(job) + ": latency against load</h2>\n<p>" + one_line_html(words) +
         ".</p>\n" + to_svg(chart);
}

// Each nine as wide as the one before it.
double nines(double share, double most) { return share < 1 ? -std::log10(1 - share) : most; }

std::string percent(double share) {
  std::ostringstream out;
  out << share * 100;
  return out.str();
}

LineChart::Line distribution_line(const std::string& name, const std::string& unit,
                                  const Distribution& distribution, double most) {
  LineChart::Line line{name, {}};
  for (const auto& [share, sample] : distribution) {
    if (sample <= 0) continue;
    line.points.push_back({std::min(nines(share, most), most), sample,
                           short_number(sample) + " " + unit + " at " + percent(share) + " %"});
  }
  return line;
}

std::string distribution_chart(const JobReport& report) {
  const auto count = static_cast<double>(report.samples.count);
  const double most = std::max(std::ceil(std::log10(std::max(count, 10.0))), 1.0);
  LineChart chart;
  chart.y_title = report.open ? "milliseconds since a call was due" : report.unit + " a sample";
  chart.x_title = "percent of the samples that are not above";
  for (const double share : {0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999}) {
    if (nines(share, most) < most - 1e-6) {
      chart.x_ticks.push_back({nines(share, most), percent(share)});
    }
  }
  chart.x_ticks.push_back({most, "all"});
  const std::string all = report.kinds.empty() ? label(report) : "all";
  chart.lines.push_back(distribution_line(all, report.unit, report.distribution, most));
  for (const KindReport& kind : report.kinds) {
    chart.lines.push_back(distribution_line(kind.kind, "ms", kind.distribution, most));
  }
  chart.description =
      "Percentiles of " + label(report) + ", from the fastest to the slowest sample";
  return "<h2>" + one_line_html(label(report)) + ": distribution of " +
         std::to_string(report.samples.count) + " samples</h2>\n" + to_svg(chart);
}

std::string cells(const char* tag, const std::vector<std::string>& row) {
  std::string html = "<tr>";
  for (const std::string& cell : row) {
    html += std::string("<") + tag + ">" + one_line_html(cell) + "</" + tag + ">";
  }
  return html + "</tr>\n";
}

std::vector<std::string> figures(const std::string& name, const std::string& unit, const Summary& s,
                                 const std::string& rate) {
  return {name,
          unit,
          short_number(s.p50),
          short_number(s.p90),
          short_number(s.p99),
          short_number(s.p999),
          short_number(s.max),
          std::to_string(s.count),
          rate};
}

std::string table(const BenchReport& report) {
  std::string html =
      "<h2>All figures</h2>\n<div class=\"wide\"><table><thead>\n" +
      cells("th", {"job", "unit", "p50", "p90", "p99", "p99.9", "max", "samples", "calls/s"}) +
      "</thead><tbody>\n";
  for (const JobReport& job : report.jobs) {
    const bool loop = job.calls_per_second > 0;
    html += cells("td", figures(label(job), job.unit, job.samples,
                                loop ? short_number(job.calls_per_second) : ""));
    for (const KindReport& kind : job.kinds) {
      html += cells("td", figures(label(job) + ": " + kind.kind, "ms", kind.samples, ""));
    }
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::string report_page(const BenchReport& report) {
  const auto in_sweep = [&](const JobReport& job) {
    return std::any_of(report.jobs.begin(), report.jobs.end(), [&](const JobReport& each) {
      return swept(each) && each.job == job.job && each.parallel == job.parallel;
    });
  };
  std::string body;
  for (auto job = report.jobs.begin(); job != report.jobs.end();) {
    const auto end = std::find_if_not(job, report.jobs.end(), [&](const JobReport& each) {
      return swept(each) && each.job == job->job && each.parallel == job->parallel;
    });
    if (end != job) {
      body += sweep_chart(job->job, {job, end});
      job = end;
    } else {
      if (!job->distribution.empty() && !in_sweep(*job)) body += distribution_chart(*job);
      ++job;
    }
  }
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
         "<title>cordon bench</title><style>" +
         std::string(kStyle) + std::string(chart_style()) +
         "</style></head><body>\n<h1>cordon bench</h1>\n<p>" + one_line_html(machine_line(report)) +
         "</p>\n" + body + table(report) + "</body></html>\n";
}

}  // namespace cordon::load
