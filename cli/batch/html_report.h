#pragma once
// What a batch came to, as one HTML page that needs nothing else: no script, no reference, and a
// policy that forbids both. Everything that came from jobs is escaped.

#include <string>
#include <string_view>

#include "cli/batch/tally.h"

namespace cordon::batch {

// `title` is shown as text.
std::string html_report(const Tally& tally, std::string_view title);

}  // namespace cordon::batch
