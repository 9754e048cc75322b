#include "cli/event_table.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cli/terminal_text.h"

namespace cordon {
namespace {

constexpr std::array kShares = {std::pair("p50Ms", 0.5), std::pair("p90Ms", 0.9),
                                std::pair("p99Ms", 0.99), std::pair("maxMs", 1.0)};

std::string utc(std::int64_t milliseconds) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm broken_down{};
  ::gmtime_r(&seconds, &broken_down);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &broken_down);
  std::array<char, 48> whole{};
  std::snprintf(whole.data(), whole.size(), "%s.%03d", text.data(),
                static_cast<int>(milliseconds % 1000));
  return whole.data();
}

// At least `width` columns and a space.
std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text + ' ';
}

std::string left_padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", value);
  return text.data();
}

std::string columns(const std::array<std::string, 6>& cells) {
  constexpr std::array<std::size_t, 5> kWidths = {8, 23, 20, 18, 7};
  std::string line;
  for (std::size_t i = 0; i < kWidths.size(); ++i) line += padded(cells[i], kWidths[i]);
  return line + cells.back() + "\n";
}

std::string details(const SandboxAuditEvent& event) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "  ") + part; };
  if (event.operation) add(*event.operation);
  if (event.target) add(*event.target);
  if (event.reason) add("(" + *event.reason + ")");
  if (event.bytes) add(std::to_string(*event.bytes) + " B");
  if (event.count) add("x" + std::to_string(*event.count));
  if (event.duration_ms) add(number(*event.duration_ms) + " ms");
  return printable_line(text);
}

}  // namespace

std::string event_heading() {
  return columns({"SEQ", "TIME (UTC)", "SANDBOX", "CAPABILITY", "OUTCOME", "DETAILS"});
}

std::string event_row(const SandboxAuditEvent& event) {
  return columns({std::to_string(event.seq), utc(event.timestamp), printable_line(event.sandbox),
                  printable_line(event.capability), to_string(event.outcome), details(event)});
}

std::string statistics_table(const std::map<std::string, CapabilityStatistics>& statistics) {
  const auto line = [](const std::string& name, const std::vector<std::string>& cells) {
    std::string text = padded(name, 22);
    for (const std::string& cell : cells) text += " " + left_padded(cell, 10);
    return text + "\n";
  };
  std::string text = line("CAPABILITY", {"EVENTS", "USED", "DENIED", "ERROR", "BYTES", "P50 MS",
                                         "P90 MS", "P99 MS", "MAX MS"});
  for (const auto& [name, each] : statistics) {
    std::vector<std::string> cells;
    for (const auto value : {each.events(), each.used, each.denied, each.error, each.bytes}) {
      cells.push_back(std::to_string(value));
    }
    for (const auto& [key, share] : kShares) cells.push_back(number(each.percentile_ms(share)));
    text += line(printable_line(name), cells);
  }
  return text;
}

std::string statistics_json(const std::map<std::string, CapabilityStatistics>& statistics) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, each] : statistics) {
    auto& out = json[name];
    out = {{"events", each.events()},
           {"used", each.used},
           {"denied", each.denied},
           {"error", each.error},
           {"bytes", each.bytes}};
    for (const auto& [key, share] : kShares) out[key] = each.percentile_ms(share);
  }
  return json.dump();
}

}  // namespace cordon
