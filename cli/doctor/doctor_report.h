#pragma once
// What the doctor prints.

#include <string>

#include "cli/doctor/finding.h"

namespace cordon::doctor {

// A table with a line for each mechanism, then the remedies and a verdict. Printable.
std::string report_table(const Findings& findings);

// One JSON object: {"v", "holds", "root", "kernel", "mechanisms": [...]}.
std::string report_json(const Findings& findings);

}  // namespace cordon::doctor
