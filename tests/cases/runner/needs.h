#pragma once
// The fixture `need`: what a host must have for a case to mean anything.

#include <optional>
#include <string>
#include <vector>

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

struct Needs {
  bool strict_sandbox = false;         // to be tried in a parent
  std::optional<std::string> missing;  // why the case cannot run here
};

// Throws Unknown for a need that nobody knows how to look for.
Needs look_for(const Json& fixture);

}  // namespace cordon::cases
