#include "cli/doctor/finding.h"

#include <algorithm>

namespace cordon::doctor {

const char* to_string(State state) noexcept {
  switch (state) {
    case State::kHeld:
      return "held";
    case State::kBroken:
      return "broken";
    case State::kMissing:
      return "missing";
    case State::kNotTried:
      return "notTried";
  }
  return "notTried";
}

bool all_hold(const Findings& findings) noexcept {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& each) {
    return !each.required || each.state == State::kHeld;
  });
}

void Attempts::add(const std::string& name, std::string_view line, const std::string& end) {
  constexpr std::string_view kStopped = "stopped ";
  if (!names_.ends_with(name)) names_ += (names_.empty() ? "" : ", ") + name;
  while (line.ends_with('\n')) line.remove_suffix(1);
  std::string by;
  if (line.starts_with(kStopped)) {
    by = line.substr(kStopped.size());
  } else if (line.empty() && !end.empty()) {
    by = end;
  } else {
    if (broken_.empty()) broken_ = name + ": " + (line.empty() ? "no answer" : std::string(line));
    return;
  }
  if (std::find(stopped_by_.begin(), stopped_by_.end(), by) == stopped_by_.end()) {
    stopped_by_.push_back(by);
  }
}

void Attempts::conclude(Finding& finding) const {
  if (finding.tried.empty()) finding.tried = names_;
  if (!broken_.empty()) {
    finding.state = State::kBroken;
    finding.detail = broken_;
    finding.remedy = kBrokenRemedy;
    return;
  }
  finding.state = stopped_by_.empty() ? State::kNotTried : State::kHeld;
  for (const std::string& by : stopped_by_) {
    finding.detail += (finding.detail.empty() ? "" : ", ") + by;
  }
}

}  // namespace cordon::doctor
