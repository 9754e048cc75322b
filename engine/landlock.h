#pragma once
// Landlock: takes file system, network, abstract socket and signal access from the calling process,
// as far as the running kernel knows them.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/start_failure.h"

namespace cordon::engine {

// What stays allowed for one file, or for everything beneath one directory.
struct AccessRule {
  enum class Access : std::uint8_t {
    kRead,
    kExecute,  // and read
    kChange,   // read, write, make, remove and rename, but never execute
  };
  int fd = -1;  // O_PATH is enough
  Access access = Access::kRead;
};

struct AccessRules {
  std::vector<AccessRule> files = {};
  bool bind = false;     // TCP
  bool connect = false;  // TCP
};

// The kernel's interface version; 0: there is no Landlock.
unsigned landlock_version();

// Nothing but `rules` stays allowed. Needs no_new_privs.
Started restrict_access(const AccessRules& rules = {});

}  // namespace cordon::engine
