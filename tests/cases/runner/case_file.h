#pragma once
// A file of cases, one JSON object a line (tests/cases/README.md).

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

struct Case {
  std::string id;
  Json fields;  // as in the file; checked when it runs, so that one bad case fails alone
};

// Throws std::runtime_error when the file cannot be read, a line is not an object with an id, or an
// id occurs twice.
std::vector<Case> read_cases(const std::filesystem::path& file);

// What one run of a case is: the same expectation for each.
struct RunPlan {
  std::string label;  // "" when there is one run only
  Json arguments;     // an array
  Json options;
};

// All combinations of args_each and options_each. Throws Unknown for a field that is not known.
std::vector<RunPlan> runs_of(const Case& one);

}  // namespace cordon::cases
