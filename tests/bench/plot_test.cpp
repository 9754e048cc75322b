#include "benchmarks/load/plot.h"

#include <catch2/catch.hpp>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/load/line_chart.h"
#include "tests/bench/support/reports.h"

using namespace cordon::load;
using namespace cordon::test;
using boost::property_tree::ptree;

namespace {

// All of a page's elements <svg>...</svg>, parsed; throws when one is not well-formed.
std::vector<ptree> pictures(const std::string& page) {
  std::vector<ptree> found;
  std::size_t end = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", end)) {
    end = page.find("</svg>", at) + 6;
    std::istringstream text(page.substr(at, end - at));
    ptree tree;
    read_xml(text, tree);
    found.push_back(tree);
  }
  return found;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++times;
  }
  return times;
}

// Every number of coordinates is within the picture.
void check_within(const ptree& svg) {
  for (const auto& [name, element] : svg) {
    for (const char* key : {"x", "x1", "x2", "cx"}) {
      const double x = element.get<double>(std::string("<xmlattr>.") + key, 0);
      CHECK(x >= 0);
      CHECK(x <= 860);
    }
    for (const char* key : {"y", "y1", "y2", "cy"}) {
      const double y = element.get<double>(std::string("<xmlattr>.") + key, 0);
      CHECK(y >= 0);
      CHECK(y <= 400);
    }
  }
}

}  // namespace

TEST_CASE("a sweep is a chart of four percentiles against load") {
  const std::string page = report_page(report_of(sweep_reports()));
  CHECK(page.find("J1: latency against load") != std::string::npos);
  CHECK(page.find("the highest with p99 below 3 times p50: 80.0 per second") != std::string::npos);
  for (const char* name : {">p50<", ">p90<", ">p99<", ">p99.9<"}) CHECK(count(page, name) >= 1);
  const auto charts = pictures(page);
  CHECK(charts.size() == 1 + 4);  // with its legend
  for (const ptree& chart : charts) check_within(chart.get_child("svg"));
  CHECK(count(page, "<polyline") == 4 + 4);
  CHECK(count(page, "<circle") == 4 * 3);
}

TEST_CASE("any other loop is a chart of its distribution, and everything is in the table") {
  const std::string page = report_page(report_of({trips_report(), memory_report()}));
  CHECK(page.find("J2: distribution of 4 samples") != std::string::npos);
  CHECK(pictures(page).size() == 1);
  CHECK(count(page, "<tr>") == 3);
}

TEST_CASE("a blend's chart has a line for each kind and one for all") {
  JobReport mix = trips_report();
  mix.job = "mix";
  mix.kinds = {{"J1", summarise({2}), {{0.5, 2}, {1, 2}}}, {"denied", summarise({3}), {{1, 3}}}};
  const std::string page = report_page(report_of({mix}));
  CHECK(count(page, "<circle") == 3 + 2 + 1);
  for (const char* name : {">all<", ">J1<", ">denied<"}) CHECK(count(page, name) >= 1);
  CHECK(page.find("mix: denied") != std::string::npos);  // in the table
}

TEST_CASE("a page needs nothing else, and says what it shows to who cannot see it") {
  const std::string page = report_page(report_of(sweep_reports()));
  CHECK(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.find("url(") == std::string::npos);
  CHECK(page.find("prefers-color-scheme:dark") != std::string::npos);
  CHECK(count(page, "role=\"img\" aria-label=\"Percentiles of ") == 1);
}

TEST_CASE("what comes from outside is text, not markup") {
  auto jobs = sweep_reports();
  for (JobReport& each : jobs) each.job = "<b onload=\"x\">&";
  BenchReport report = report_of(jobs);
  report.machine.cpu = "<script>alert(1)</script>\x1b[31m";
  const std::string page = report_page(report);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<b ") == std::string::npos);
  CHECK(page.find('\x1b') == std::string::npos);
  CHECK(page.find("&lt;b onload=&quot;x&quot;&gt;&amp;") != std::string::npos);
  CHECK_NOTHROW(pictures(page));
}

TEST_CASE("charts of nothing, of one point and of equal points are pictures all the same") {
  LineChart chart{.description = "d", .x_title = "x", .y_title = "y"};
  CHECK(pictures(to_svg(chart)).size() == 1);
  for (const auto& points : std::vector<std::vector<ChartPoint>>{
           {}, {{0, 5, "a"}}, {{0, 5, "a"}, {1, 5, "b"}}, {{0, 1e-9, "a"}, {1, 1e9, "b"}}}) {
    chart.lines = {{"line", points}};
    chart.x_ticks = {{0, "0"}, {1, "1"}};
    const auto charts = pictures(to_svg(chart));
    REQUIRE(charts.size() == 1);
    check_within(charts[0].get_child("svg"));
    CHECK(to_svg(chart).find("nan") == std::string::npos);
    CHECK(to_svg(chart).find("inf") == std::string::npos);
  }
}
