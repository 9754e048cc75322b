#pragma once
// Landlock: takes file system, network, abstract socket and signal access from the calling process,
// as far as the running kernel knows them.

#include <optional>

#include "engine/start_failure.h"

namespace cordon::engine {

// Nothing stays allowed but, if given, executing and reading the one file that `executable` is open
// on. Needs no_new_privs.
Started restrict_access(std::optional<int> executable = std::nullopt);

}  // namespace cordon::engine
