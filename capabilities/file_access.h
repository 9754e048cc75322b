#pragma once
// The words and names of the two ways to a file, so that every refusal of one kind reads the same:
// a denial must not tell an existing path from a missing one.

#include <cstdint>
#include <string>
#include <string_view>

#include "capabilities/operation.h"

namespace cordon {

enum class FileAccess : std::uint8_t { kRead, kWrite };

// "Filesystem read of /data/x": how every message about `path` begins.
std::string asked(FileAccess access, std::string_view path);

// The one denial for whatever is not beneath a root.
Refusal outside_roots(FileAccess access, std::string_view path);

// A denial by a rule that no grant lifts; `rule` is host-written.
Refusal against_rule(FileAccess access, std::string_view path, std::string_view rule);

// After authorization: the system's words for `error`, an errno.
OperationFailure system_failure(FileAccess access, std::string_view path, int error);

// After authorization: `problem` is host-written.
OperationFailure other_failure(FileAccess access, std::string_view path, std::string_view problem);

}  // namespace cordon
