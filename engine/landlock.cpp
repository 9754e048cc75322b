#include "engine/landlock.h"

#include <linux/landlock.h>
#include <sys/stat.h>
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

constexpr std::uint64_t kBindTcp = 1 << 0;
constexpr std::uint64_t kConnectTcp = 1 << 1;

// Bits that older headers lack.
constexpr std::uint64_t kRefer = 1 << 13;
constexpr std::uint64_t kTruncate = 1 << 14;

// All rights that ABI `version` can take away. What a later ABI adds is not known here.
Ruleset everything(unsigned version) {
  Ruleset all;
  int rights = 13;                // ABI 1
  if (version >= 2) rights = 14;  // refer
  if (version >= 3) rights = 15;  // truncate
  if (version >= 5) rights = 16;  // device ioctl
  all.file_system = (std::uint64_t{1} << rights) - 1;
  if (version >= 4) all.network = kBindTcp | kConnectTcp;
  if (version >= 6) all.scopes = 0b11;  // abstract sockets and signals
  return all;
}

std::size_t size_for(unsigned version) {
  return sizeof(std::uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
}

std::uint64_t rights_of(const AccessRule& rule) {
  constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE;
  constexpr std::uint64_t kChangeFile = kReadFile | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
  // Neither devices nor sockets.
  constexpr std::uint64_t kChangeDirectory =
      LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
      LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_FIFO |
      LANDLOCK_ACCESS_FS_MAKE_SYM | kRefer;
  struct stat info {};
  const bool directory = ::fstat(rule.fd, &info) == 0 && S_ISDIR(info.st_mode);
  switch (rule.access) {
    case AccessRule::Access::kExecute:
      return LANDLOCK_ACCESS_FS_EXECUTE | kReadFile;
    case AccessRule::Access::kChange:
      return kChangeFile | (directory ? kChangeDirectory : 0);
    case AccessRule::Access::kRead:
      break;
  }
  return kReadFile | (directory ? LANDLOCK_ACCESS_FS_READ_DIR : 0);
}

}  // namespace

unsigned landlock_version() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 1 ? 0 : static_cast<unsigned>(version);
}

Started restrict_access(const AccessRules& rules) {
  const unsigned version = landlock_version();
  if (version == 0) return system_failure(kMechanism, "landlock is not available", kRemedy);
  Ruleset handled = everything(version);
  if (rules.bind) handled.network &= ~kBindTcp;
  if (rules.connect) handled.network &= ~kConnectTcp;
  const UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, size_for(version), 0)));
  if (!ruleset) return system_failure(kMechanism, "landlock_create_ruleset failed", kRemedy);
  for (const AccessRule& rule : rules.files) {
    landlock_path_beneath_attr allowed{};
    allowed.allowed_access = rights_of(rule) & handled.file_system;
    allowed.parent_fd = rule.fd;
    if (::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &allowed, 0) !=
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
