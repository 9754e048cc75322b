#include "cli/batch/html_report.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

#include "audit/sha256.h"
#include "capabilities/html_text.h"
#include "cli/terminal_text.h"

namespace cordon::batch {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ink:#1c2330;--soft:#5d6675;--line:#d9dee7;--page:#fff;--panel:#f6f8fb;--good:#1f7a4d;--bad:#b3372f;--odd:#96690a;--bar:#3867b0}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#9aa4b4;--line:#343c4a;--page:#151a22;--panel:#1d2430;--good:#5fc592;--bad:#f08a80;--odd:#dfb252;--bar:#7ba6e8}}
body{margin:0 auto;max-width:64rem;padding:2rem 1.25rem;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2.25rem 0 .75rem}
p{color:var(--soft);margin:0}
.counts{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem;padding:0;list-style:none}
.counts li{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;min-width:6.5rem}
.counts b{display:block;font-size:1.4rem;font-variant-numeric:tabular-nums}
.good{color:var(--good)}.bad{color:var(--bad)}.odd{color:var(--odd)}
table{border-collapse:collapse;width:100%;table-layout:fixed}
th,td{text-align:left;padding:.35rem .5rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere;vertical-align:top}
th{color:var(--soft);font-weight:600}.n{text-align:right;width:7rem;font-variant-numeric:tabular-nums}.v{width:8.5rem}
details{border-bottom:1px solid var(--line);padding:.4rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.6rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,monospace}
svg{width:100%;height:auto;display:block}svg text{fill:var(--soft);font:11px system-ui,sans-serif}svg rect{fill:var(--bar)}svg line{stroke:var(--line)}
)css";

// Control characters and those that steer the direction of text are shown as escapes first.
std::string escaped(std::string_view text) { return html_escaped(printable(text)); }

std::string number(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string style_hash() {
  Sha256 hash;
  hash.update(kStyle);
  const auto digest = hash.finish();
  std::array<unsigned char, 2 * std::tuple_size_v<Sha256::Digest>> base64{};
  const int length = EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
  return {reinterpret_cast<const char*>(base64.data()), static_cast<std::size_t>(length)};
}

const char* class_of(Verdict verdict) {
  if (verdict == Verdict::kPassed) return "good";
  return is_judgement(verdict) ? "bad" : "odd";
}

std::string counts(const Tally& tally) {
  std::string out = "<ul class=\"counts\">";
  for (const Verdict verdict : kVerdicts) {
    if (tally.count(verdict) == 0) continue;
    out += "<li class=\"" + std::string(class_of(verdict)) + "\"><b>" +
           std::to_string(tally.count(verdict)) + "</b>" + std::string(to_string(verdict)) +
           "</li>";
  }
  for (const Tally::PassAt& at : tally.pass_at()) {
    out += "<li><b>" + number("%.1f%%", at.percent) + "</b>pass@" + std::to_string(at.k) + ", " +
           std::to_string(at.tasks) + (at.tasks == 1 ? " task</li>" : " tasks</li>");
  }
  return out + "</ul>\n";
}

struct Bars {
  static constexpr std::size_t kPerBar = 5;
  static constexpr std::size_t kMost = (Tally::kBuckets + kPerBar - 1) / kPerBar;
  std::array<std::uint64_t, kMost> counts{};
  std::size_t first = kMost;
  std::size_t last = 0;
  std::uint64_t highest = 1;
};

Bars bars_of(const Tally& tally) {
  Bars bars;
  for (std::size_t bucket = 0; bucket < Tally::kBuckets; ++bucket) {
    const std::size_t bar = bucket / Bars::kPerBar;
    bars.counts[bar] += tally.histogram()[bucket];
    if (bars.counts[bar] == 0) continue;
    bars.first = std::min(bars.first, bar);
    bars.last = bar;
    bars.highest = std::max(bars.highest, bars.counts[bar]);
  }
  return bars;
}

std::string time_label(double ms) {
  return ms < 1000 ? number("%.3g ms", ms) : number("%.3g s", ms / 1000);
}

std::string histogram(const Tally& tally) {
  const Bars bars = bars_of(tally);
  if (bars.first > bars.last) return "<p>Nothing was run.</p>\n";
  constexpr double kWidth = 960;
  constexpr double kHeight = 180;
  constexpr double kWidest = 80;
  const double width = std::min(kWidth / static_cast<double>(bars.last - bars.first + 1), kWidest);
  std::string out = "<svg viewBox=\"0 0 960 230\" role=\"img\" aria-label=\"Wall time\">\n";
  for (std::size_t bar = bars.first; bar <= bars.last; ++bar) {
    const double x = static_cast<double>(bar - bars.first) * width;
    const double height =
        kHeight * static_cast<double>(bars.counts[bar]) / static_cast<double>(bars.highest);
    const std::size_t end = std::min((bar + 1) * Bars::kPerBar - 1, Tally::kBuckets - 1);
    const std::string label = time_label(Tally::bucket_end_ms(end));
    out += "<rect x=\"" + number("%.1f", x + 1) + "\" y=\"" + number("%.1f", 200 - height) +
           "\" width=\"" + number("%.1f", width - 2) + "\" height=\"" + number("%.1f", height) +
           "\" rx=\"2\"><title>up to " + label + ": " + std::to_string(bars.counts[bar]) +
           "</title></rect>\n";
    if (bars.counts[bar] > 0) {
      out += "<text x=\"" + number("%.1f", x + width / 2) + "\" y=\"" +
             number("%.1f", 195 - height) + "\" text-anchor=\"middle\">" +
             std::to_string(bars.counts[bar]) + "</text>\n";
    }
    out += "<text x=\"" + number("%.1f", x + width) + "\" y=\"218\" text-anchor=\"end\">" + label +
           "</text>\n";
  }
  return out + "<line x1=\"0\" y1=\"200\" x2=\"960\" y2=\"200\"/></svg>\n";
}

std::string slowest(const Tally& tally) {
  std::string out =
      "<table><thead><tr><th>Program</th><th class=\"v\">Verdict</th>"
      "<th class=\"n\">Wall time</th></tr></thead><tbody>\n";
  for (const PastResult& result : tally.slowest()) {
    out += "<tr><td>" + escaped(result.id_json) + "</td><td class=\"v " +
           std::string(class_of(result.verdict)) + "\">" + std::string(to_string(result.verdict)) +
           "</td><td class=\"n\">" + number("%.1f ms", result.wall_ms) + "</td></tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string unsuccessful(const Tally& tally) {
  if (tally.unsuccessful().empty()) return "<p>None.</p>\n";
  std::string out;
  for (const PastResult& result : tally.unsuccessful()) {
    out += "<details><summary><span class=\"" + std::string(class_of(result.verdict)) + "\">" +
           std::string(to_string(result.verdict)) + "</span> " + escaped(result.id_json) +
           " <small>line " + std::to_string(result.line) + "</small></summary>\n";
    if (!result.error_name.empty()) {
      out += "<pre>" + escaped(result.error_name + ": " + result.error_message) + "</pre>\n";
    }
    if (!result.console.empty()) out += "<pre>" + escaped(result.console) + "</pre>\n";
    out += "</details>\n";
  }
  const std::uint64_t all = tally.total() - tally.count(Verdict::kPassed);
  if (all > tally.unsuccessful().size()) {
    out += "<p>The first " + std::to_string(tally.unsuccessful().size()) + " of " +
           std::to_string(all) + ".</p>\n";
  }
  return out;
}

}  // namespace

std::string html_report(const Tally& tally, std::string_view title) {
  const std::string name = escaped(title);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'sha256-" +
         style_hash() +
         "'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
         name + "</title><style>" + std::string(kStyle) + "</style></head><body>\n<h1>" + name +
         "</h1>\n<p>" + std::to_string(tally.total()) + " answers, " +
         number("%.1f%%", tally.pass_percent()) + " passed; wall time " +
         number("%.1f ms", tally.quantile_ms(0.5)) + " at the median, " +
         number("%.1f ms", tally.quantile_ms(0.99)) + " at the 99th percentile.</p>\n" +
         counts(tally) + "<h2>Wall time</h2>\n" + histogram(tally) + "<h2>Slowest</h2>\n" +
         slowest(tally) + "<h2>Not passed</h2>\n" + unsuccessful(tally) + "</body></html>\n";
}

}  // namespace cordon::batch
