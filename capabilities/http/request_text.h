#pragma once
// An HTTP/1.1 request as it is sent. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "capabilities/network_policy.h"

namespace cordon {

// Header and body. The host's own header fields come first; of the guest's, `accept-encoding` is
// left out: no content coding is ever asked for.
std::string request_text(const CheckedRequest& request, std::optional<std::string_view> body);

}  // namespace cordon
