#include "engine/landlock.h"

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "messages/unique_fd.h"

namespace cordon::engine {

namespace {

constexpr const char* kMechanism = "landlock";
constexpr const char* kRemedy =
    "use Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK, and list landlock in the lsm= kernel "
    "parameter";

// The kernel's structure at ABI 6; older ones take a prefix of it.
struct Ruleset {
  std::uint64_t file_system = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};

// All rights that ABI `version` can take away. What a later ABI adds is not known here.
Ruleset everything(long version) {
  Ruleset all;
  int rights = 13;                // ABI 1
  if (version >= 2) rights = 14;  // refer
  if (version >= 3) rights = 15;  // truncate
  if (version >= 5) rights = 16;  // device ioctl
  all.file_system = (std::uint64_t{1} << rights) - 1;
  if (version >= 4) all.network = 0b11;  // TCP bind and connect
  if (version >= 6) all.scopes = 0b11;   // abstract sockets and signals
  return all;
}

std::size_t size_for(long version) {
  return sizeof(std::uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
}

}  // namespace

Started restrict_access(std::optional<int> executable) {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return system_failure(kMechanism, "landlock is not available", kRemedy);
  const Ruleset all = everything(version);
  const UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, size_for(version), 0)));
  if (!ruleset) return system_failure(kMechanism, "landlock_create_ruleset failed", kRemedy);
  if (executable) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
    rule.parent_fd = *executable;
    if (::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) !=
        0) {
      return system_failure(kMechanism, "landlock_add_rule failed", kRemedy);
    }
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) {
    return system_failure(kMechanism, "landlock_restrict_self failed", kRemedy);
  }
  return {};
}

}  // namespace cordon::engine
