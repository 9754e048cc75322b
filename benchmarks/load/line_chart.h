#pragma once
// A chart of lines as SVG, to stand in an HTML page that has the classes of chart_style().

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::load {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string text;  // shown on pointing at it
};

struct ChartTick {
  double x = 0;
  std::string text;
};

struct LineChart {
  std::string description;  // for who cannot see it
  std::string x_title;
  std::string y_title;
  std::vector<ChartTick> x_ticks = {};  // the first and the last are the axis' ends
  struct Line {
    std::string name;
    std::vector<ChartPoint> points;  // y above 0
  };
  std::vector<Line> lines = {};          // told apart by colour and by dashes
  std::optional<ChartTick> marker = {};  // a vertical line
};

// The y axis is logarithmic. Every text is escaped.
std::string to_svg(const LineChart& chart);

// CSS, light and dark.
std::string_view chart_style();

// For text and attributes of HTML. Control characters become spaces.
std::string one_line_html(std::string text);

}  // namespace cordon::load
