#include "benchmarks/load/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "benchmarks/load/text_table.h"
#include "capabilities/html_text.h"

namespace cordon::load {
namespace {

constexpr double kWidth = 860, kHeight = 400;
constexpr double kLeft = 72, kRight = 836, kTop = 34, kBottom = 340;
constexpr std::size_t kStyles = 8;  // of lines

std::string coordinate(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string at(const char* x_name, double x, const char* y_name, double y) {
  return std::string(" ") + x_name + "=\"" + coordinate(x) + "\" " + y_name + "=\"" +
         coordinate(y) + "\"";
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return std::string("<line class=\"") + style + "\"" + at("x1", x1, "y1", y1) +
         at("x2", x2, "y2", y2) + "/>\n";
}

std::string text(double x, double y, const char* anchor, const std::string& words,
                 const std::string& more = "") {
  return "<text" + at("x", x, "y", y) + " text-anchor=\"" + anchor + "\"" + more + ">" +
         one_line_html(words) + "</text>\n";
}

// From data to the picture.
class Axes {
 public:
  explicit Axes(const LineChart& chart) {
    if (!chart.x_ticks.empty()) {
      x_from_ = chart.x_ticks.front().x;
      x_to_ = chart.x_ticks.back().x;
    }
    double low = INFINITY;
    double high = 0;
    for (const auto& each : chart.lines) {
      for (const ChartPoint& point : each.points) {
        low = std::min(low, point.y);
        high = std::max(high, point.y);
      }
    }
    if (high == 0) low = high = 1;
    while (y_ticks_.empty() || y_ticks_.back() < high) y_ticks_.push_back(next_tick(low));
  }

  const std::vector<double>& y_ticks() const { return y_ticks_; }
  double x(double value) const {
    const double range = x_to_ > x_from_ ? x_to_ - x_from_ : 1;
    return kLeft + (kRight - kLeft) * (value - x_from_) / range;
  }
  double y(double value) const {
    const double range = std::max(std::log(y_ticks_.back() / y_ticks_.front()), 1e-9);
    return kBottom - (kBottom - kTop) * std::log(value / y_ticks_.front()) / range;
  }

 private:
  // 1, 2, 5, 10, ...: the first is not above `low`.
  double next_tick(double low) const {
    if (y_ticks_.empty()) {
      const double power = std::pow(10, std::floor(std::log10(low)));
      return low >= 5 * power ? 5 * power : low >= 2 * power ? 2 * power : power;
    }
    const double last = y_ticks_.back();
    const double power = std::pow(10, std::floor(std::log10(last) + 1e-9));
    return last > 4 * power ? 10 * power : last > 1.5 * power ? 5 * power : 2 * power;
  }

  double x_from_ = 0;
  double x_to_ = 1;
  std::vector<double> y_ticks_;
};

std::string grid(const LineChart& chart, const Axes& axes) {
  std::string svg;
  for (const double tick : axes.y_ticks()) {
    svg += line(kLeft, axes.y(tick), kRight, axes.y(tick), "grid");
    const std::string words = tick >= 1 ? std::to_string(std::llround(tick)) : short_number(tick);
    svg += text(kLeft - 8, axes.y(tick) + 4, "end", words);
  }
  for (const ChartTick& tick : chart.x_ticks) {
    svg += line(axes.x(tick.x), kBottom, axes.x(tick.x), kBottom + 5, "axis");
    svg += text(axes.x(tick.x), kBottom + 20, "middle", tick.text);
  }
  svg += line(kLeft, kBottom, kRight, kBottom, "axis");
  svg += text((kLeft + kRight) / 2, kHeight - 12, "middle", chart.x_title);
  const double middle = (kTop + kBottom) / 2;
  return svg + text(16, middle, "middle", chart.y_title,
                    " transform=\"rotate(-90 16 " + coordinate(middle) + ")\"");
}

std::string marker(const ChartTick& tick, const Axes& axes) {
  const double x = axes.x(tick.x);
  const bool on_the_right = x > (kLeft + kRight) / 2;
  return line(x, kTop - 14, x, kBottom, "marker") +
         text(on_the_right ? x - 6 : x + 6, kTop - 6, on_the_right ? "end" : "start", tick.text);
}

std::string one_line(const LineChart::Line& each, std::size_t number, const Axes& axes) {
  const std::string style = "s" + std::to_string(number % kStyles);
  std::string points;
  std::string dots;
  for (const ChartPoint& point : each.points) {
    points += coordinate(axes.x(point.x)) + "," + coordinate(axes.y(point.y)) + " ";
    dots += "<circle class=\"" + style + "\"" + at("cx", axes.x(point.x), "cy", axes.y(point.y)) +
            " r=\"3.5\"><title>" + one_line_html(each.name + ": " + point.text) +
            "</title></circle>\n";
  }
  if (points.empty()) return {};
  points.pop_back();
  return "<polyline class=\"" + style + "\" points=\"" + points + "\"/>\n" + dots;
}

std::string legend(const LineChart& chart) {
  std::string html = "<ul class=\"legend\">";
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    html += "<li><svg viewBox=\"0 0 36 10\" aria-hidden=\"true\"><polyline class=\"s" +
            std::to_string(i % kStyles) + "\" points=\"0,5 36,5\"/></svg>" +
            one_line_html(chart.lines[i].name) + "</li>";
  }
  return html + "</ul>\n";
}

}  // namespace

std::string to_svg(const LineChart& chart) {
  const Axes axes(chart);
  std::string svg = "<svg class=\"chart\" viewBox=\"0 0 " + coordinate(kWidth) + " " +
                    coordinate(kHeight) + "\" role=\"img\" aria-label=\"" +
                    one_line_html(chart.description) + "\">\n";
  svg += grid(chart, axes);
  if (chart.marker) svg += marker(*chart.marker, axes);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) svg += one_line(chart.lines[i], i, axes);
  svg += "</svg>\n";
  return chart.lines.size() > 1 ? legend(chart) + svg : svg;
}

std::string_view chart_style() {
  return R"css(
:root{--c0:#2f62ad;--c1:#a8480f;--c2:#1f7a4d;--c3:#8d3f86;--c4:#7a6200;--c5:#b0303c;--c6:#0f7480;--c7:#5a5f69}
@media(prefers-color-scheme:dark){:root{--c0:#86b0f2;--c1:#f2a066;--c2:#66c796;--c3:#d999d2;--c4:#d8bf55;--c5:#f08f92;--c6:#62c3cd;--c7:#b3b9c4}}
.s0{--c:var(--c0)}.s1{--c:var(--c1);stroke-dasharray:9 4}.s2{--c:var(--c2);stroke-dasharray:3 3}.s3{--c:var(--c3);stroke-dasharray:12 3 3 3}
.s4{--c:var(--c4);stroke-dasharray:6 6}.s5{--c:var(--c5);stroke-dasharray:2 5}.s6{--c:var(--c6);stroke-dasharray:14 5}.s7{--c:var(--c7);stroke-dasharray:8 3 2 3 2 3}
polyline{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}
circle{fill:var(--c);stroke:none}
.chart{width:100%;height:auto;display:block}
.chart text{fill:var(--soft);font:12px system-ui,sans-serif;font-variant-numeric:tabular-nums}
.grid{stroke:var(--line)}.axis{stroke:var(--soft)}.marker{stroke:var(--ink);stroke-dasharray:2 4}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:.5rem 0;padding:0 0 0 4.5rem}
.legend li{display:flex;align-items:center;gap:.5rem}.legend svg{width:36px;height:10px}
)css";
}

std::string one_line_html(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return html_escaped(text);
}

}  // namespace cordon::load
