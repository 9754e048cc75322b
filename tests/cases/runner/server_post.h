#pragma once
// The checks `server_…` and `server2_…`: what a server has seen.

#include "tests/cases/runner/judged_run.h"

namespace cordon::cases {

// `name`: the whole one, e.g. "server2_requests". Throws Unknown.
Problems check_server(const std::string& name, const Json& value, const JudgedRun& run);

Problems equal_figures(const std::string& name, std::size_t actual, double wanted);

}  // namespace cordon::cases
