#pragma once
// What a process gives up about itself: capabilities, new privileges, limits, being looked at.

#include <sys/resource.h>

#include <span>

#include "engine/start_failure.h"

namespace cordon::engine {

struct ResourceLimit {
  __rlimit_resource resource;
  rlim_t soft;
  rlim_t hard;  // lowered to the inherited one where that is less; so is `soft`
};

inline constexpr rlim_t kInheritedLimit = RLIM_INFINITY;

Started drop_capabilities();
Started limit_resources(std::span<const ResourceLimit> limits);
Started forbid_new_privileges();

// No core dumps, no ptrace, /proc/<pid> out of reach of the same user. An execution undoes it.
Started forbid_inspection();

}  // namespace cordon::engine
