#include "cli/doctor/doctor_report.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/terminal_text.h"

namespace cordon::doctor {

namespace {

constexpr std::array<std::size_t, 3> kWidths = {9, 8, 24};

std::string row(const std::array<std::string, 6>& cells) {
  std::string line;
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    line += cells[i] + std::string(kWidths[i] - std::min(kWidths[i] - 1, cells[i].size()), ' ');
  }
  line += cells[3] + " -> " + cells[4];
  if (!cells[5].empty()) line += "  [" + cells[5] + "]";
  return line + "\n";
}

std::string shown(const Finding& finding) {
  if (finding.state == State::kNotTried) return "not tried";
  return to_string(finding.state);
}

std::string verdict(const Findings& findings) {
  const auto count = [&](auto counts) {
    return std::to_string(std::count_if(findings.begin(), findings.end(), counts));
  };
  if (all_hold(findings)) {
    const std::string optional =
        count([](const Finding& each) { return !each.required && each.state != State::kHeld; });
    return "All that is required holds." +
           (optional == "0" ? "" : " Optional and not there: " + optional + ".") + "\n";
  }
  return "Not to be relied on: " +
         count([](const Finding& each) { return each.required && each.state != State::kHeld; }) +
         " of what is required does not hold. Programs that need it are refused.\n";
}

std::string kernel() {
  utsname name{};
  return ::uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "";
}

}  // namespace

std::string report_table(const Findings& findings) {
  std::string text = "RESULT   WHERE   MECHANISM               TRIED -> STOPPED BY  [MADE OF]\n";
  std::string remedies;
  for (const Finding& each : findings) {
    const std::string name = each.name + (each.required ? "" : " (optional)");
    text += printable(row({shown(each), each.group, name, each.tried,
                           each.detail.empty() ? "-" : each.detail, each.mechanism}));
    if (each.state != State::kHeld && !each.remedy.empty()) {
      remedies += printable_line(each.group + ", " + each.name + ": " + each.remedy) + "\n";
    }
  }
  if (!remedies.empty()) text += "\nRemedies\n" + remedies;
  return text + "\n" + verdict(findings);
}

std::string report_json(const Findings& findings) {
  nlohmann::ordered_json report{{"v", 1},
                                {"holds", all_hold(findings)},
                                {"root", ::geteuid() == 0},
                                {"kernel", kernel()},
                                {"mechanisms", nlohmann::ordered_json::array()}};
  for (const Finding& each : findings) {
    nlohmann::ordered_json one{
        {"where", each.group},       {"name", each.name},   {"result", to_string(each.state)},
        {"required", each.required}, {"tried", each.tried}, {"mechanism", each.mechanism},
        {"detail", each.detail}};
    if (each.state != State::kHeld) one["remedy"] = each.remedy;
    report["mechanisms"].push_back(std::move(one));
  }
  return report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace cordon::doctor
