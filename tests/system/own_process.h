#pragma once
// For tests that change their process for good: each runs in one of its own.

#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <string>

#include "tests/system/world.h"

namespace cordon::test {

inline constexpr const char* kSkip = "skip";
inline constexpr const char* kGood = "good";
inline constexpr const char* kOne = "export default () => 1;";

// `body` in a forked process: kGood, kSkip, or what went wrong.
std::string in_own_process(const std::function<void()>& body);

// Whether it was good; `needs` is said where it was skipped.
void check_or_skip(const std::string& said, const std::string& needs);

// Catch's assertions belong to the test's own process; these throw what is wrong.
void require(bool holds, const std::string& what);
void require_ok(const Outcome& outcome);
void require_unavailable(const Outcome& outcome, const std::string& words);

std::string describe(const Outcome& outcome);

// An ordinary user without any other process, whom a limit of processes binds; throws kSkip where
// it cannot be, or cannot execute the engine.
void become_lonely_user();

void set_soft_limit(pid_t pid, __rlimit_resource resource, rlim_t value);

// This process can open so many more, wherever among the open ones there is room for them.
void leave_descriptors(std::size_t count);
void leave_all_descriptors();

// Mounts are from then on seen by this process and what it starts alone.
void enter_mount_namespace();
void mount_small(const std::string& path, const char* options);

// Takes all that is left of a file system.
void fill(const std::string& path);

}  // namespace cordon::test
