#pragma once
// What the audit trail, and the guest's SandboxDeniedError, name as the target of a call.
//
// Not yet redacted, escaped or capped: redaction comes first, on the whole text, since a secret
// that was cut in half would no longer be found. Redaction of an origin must ignore case: a host is
// written in lower case here, whatever the case of the secret in it.

#include <optional>
#include <string>
#include <string_view>

namespace cordon {

// environment, secret, readText, writeText, spawn: the requested name, path or executable, as
// well-formed UTF-8.
std::string named_target(std::string_view requested);

// fetchText: the URL's origin and nothing else of it; none when it has no http or https origin.
std::optional<std::string> network_target(std::string_view url);

}  // namespace cordon
