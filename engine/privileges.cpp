#include "engine/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace cordon::engine {

Started drop_capabilities() {
  // Past the last capability that the kernel knows, the call fails with EINVAL.
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0;
       ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
      return system_failure("capabilities", "emptying the bounding set failed", kSystemCallRemedy);
    }
  }
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) {
    return system_failure("capabilities", "emptying the ambient set failed", kSystemCallRemedy);
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) {
    return system_failure("capabilities", "capset failed", kSystemCallRemedy);
  }
  return {};
}

Started limit_resources(std::span<const ResourceLimit> limits) {
  for (const ResourceLimit& limit : limits) {
    rlimit value{};
    if (::getrlimit(limit.resource, &value) != 0) {
      return system_failure("resource limits", "getrlimit failed", kSystemCallRemedy);
    }
    value.rlim_max = std::min(value.rlim_max, limit.hard);
    value.rlim_cur = std::min(value.rlim_max, limit.soft);
    if (::setrlimit(limit.resource, &value) != 0) {
      return system_failure("resource limits", "setrlimit failed", kSystemCallRemedy);
    }
  }
  return {};
}

Started forbid_new_privileges() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return system_failure("no new privileges", "prctl failed", "use Linux 5.13 or later");
  }
  return {};
}

Started forbid_inspection() {
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    return system_failure("dumpable", "prctl failed", kSystemCallRemedy);
  }
  return {};
}

}  // namespace cordon::engine
