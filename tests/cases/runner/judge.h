#pragma once
// One case: its scene is set, its parent started, and everything that it says is checked.

#include <filesystem>
#include <string>

#include "tests/cases/runner/case_file.h"

namespace cordon::cases {

struct Settings {
  std::filesystem::path parent;  // executable
  double time_scale = 1;         // of every limit on time
  bool show = false;             // tell what came of a run that is as expected
};

struct Verdict {
  enum class Kind { kPassed, kFailed, kSkipped } kind = Kind::kPassed;
  std::string text = {};  // for people: why it failed or was skipped
};

// Runs all runs of the case, one after the other. Never throws for what is in the case.
Verdict judge(const Case& one, const Settings& settings);

}  // namespace cordon::cases
