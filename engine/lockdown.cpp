#include "engine/lockdown.h"

#include <filesystem>
#include <iterator>
#include <system_error>

#include "engine/landlock.h"
#include "engine/mount_view.h"
#include "engine/seccomp_filter.h"

namespace cordon::engine {

Started lock_down(const Lockdown& lockdown) {
  if (const Started done = empty_the_mount_view(); !done) return done;
  if (const Started done = drop_capabilities(); !done) return done;
  if (const Started done = limit_resources(lockdown.limits); !done) return done;
  if (const Started done = forbid_inspection(); !done) return done;
  if (const Started done = forbid_new_privileges(); !done) return done;
  AccessRules rules;
  if (lockdown.executable) {
    rules.files.push_back({*lockdown.executable, AccessRule::Access::kExecute});
  }
  if (const Started done = restrict_access(rules); !done) return done;
  if (!install(assemble(lockdown.policy))) {
    return system_failure("seccomp", "installing the system call filter failed",
                          "use a kernel with CONFIG_SECCOMP_FILTER, and allow seccomp in the "
                          "container's own profile");
  }
  return {};
}

unsigned count_threads() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return error ? 0 : static_cast<unsigned>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace cordon::engine
