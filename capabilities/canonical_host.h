#pragma once
// The host of a URL in the one form in which it is compared, shown and connected to.
//
// Pure. What two parsers might read as different hosts is no host here.

#include <optional>
#include <string>
#include <string_view>

#include "capabilities/origin.h"

namespace cordon {

struct CanonicalHost {
  std::string text;  // lower case; IPv6 as the URL standard writes it, without brackets
  Origin::HostKind kind;
};

// `host` as in the URL: an IPv6 address has its brackets.
std::optional<CanonicalHost> canonical_host(std::string_view host);

}  // namespace cordon
