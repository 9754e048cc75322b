#pragma once
// A policy's name in an audit trail.

#include <string>

#include <cordon/options.h>

namespace cordon {

// "sha256:" and the digest of the policy as JSON with every field, without the values of secrets
// and variables: equal for what allows the same, whatever the values.
std::string policy_digest(const AISandboxOptions& options);

}  // namespace cordon
