#pragma once
// What the doctor has found out about one mechanism.

#include <string>
#include <string_view>
#include <vector>

namespace cordon::doctor {

enum class State {
  kHeld,      // every attempt was stopped
  kBroken,    // an attempt got through
  kMissing,   // this host cannot put it up
  kNotTried,  // and nothing is known
};

struct Finding {
  std::string group = {};  // "alone", "engine", "program", "command"
  std::string name = {};   // "landlock read"
  std::string tried = {};  // the attempts, for people
  State state = State::kNotTried;
  bool required = true;        // nothing hostile should run here unless it holds
  std::string mechanism = {};  // what it is made of: "cgroup v1"
  std::string detail = {};     // what stopped the attempts, what got through, or what failed
  std::string remedy = {};     // unless it holds
};

using Findings = std::vector<Finding>;

// "held", "broken", "missing", "notTried".
const char* to_string(State state) noexcept;

// Whether all that is required holds.
bool all_hold(const Findings& findings) noexcept;

// Attempts that one mechanism has to stop: adds up what became of them.
class Attempts {
 public:
  // A line of the probe ("stopped ...", "reached ..."), or "" and how it ended instead.
  void add(const std::string& name, std::string_view line, const std::string& end);
  // Held or broken, with the detail; attempts as "name, name".
  void conclude(Finding& finding) const;

 private:
  std::string names_;
  std::vector<std::string> stopped_by_;  // each once
  std::string broken_;
};

inline constexpr const char* kBrokenRemedy =
    "run nothing hostile on this host, and report it with the kernel's version";

}  // namespace cordon::doctor
