#pragma once
// Refusals that several operations share.

#include <cstdint>
#include <string_view>

#include "capabilities/operation.h"

namespace cordon {

// `what` is what was asked, e.g. "Filesystem read of /data/x"; `option` the limit's name, e.g.
// "resources.maxReadBytes".
Refusal byte_limit_refusal(std::string_view what, std::uint64_t limit, std::string_view option);

}  // namespace cordon
