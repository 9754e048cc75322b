#pragma once
// Where a secret's value comes from when it is not written in the policy itself.
//
// Every function throws InvalidOption, which names `field` and never holds any part of a value. A
// file or descriptor may hold at most 64 KiB; one newline at its end is dropped.

#include <cordon/options.h>
#include <string>

namespace cordon {

// The host's own environment variable `name`.
std::string secret_from_environment(const std::string& field, const std::string& name);

std::string secret_from_file(const std::string& field, const std::string& path);

// Reads descriptor `fd` to its end. It stays open, but is not inherited by programs started later
// (standard streams excepted).
std::string secret_from_descriptor(const std::string& field, int fd);

}  // namespace cordon
