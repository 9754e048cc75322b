#include "engine/command/command_identity.h"

#include <grp.h>
#include <sys/random.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "engine/host_identity.h"

namespace cordon::engine {

namespace {

constexpr const char* kMechanism = "user id";

std::string read_text(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Result<CommandIdentity, StartFailure> choose_identity() {
  std::uint32_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) {
    return system_failure(kMechanism, "getrandom failed", kSystemCallRemedy);
  }
  const auto user = choose_host_id(read_text("/proc/self/uid_map"), random);
  const auto group = choose_host_id(read_text("/proc/self/gid_map"), random);
  if (!user || !group || *user == 0 || *group == 0) {
    return StartFailure{kMechanism, "/proc/self/uid_map and gid_map show no unprivileged id",
                        "map more than one id where this is a container, or start the host as an "
                        "ordinary user"};
  }
  return CommandIdentity{*user, *group};
}

Started become(CommandIdentity identity) {
  if (::setgroups(0, nullptr) != 0 ||
      ::setresgid(identity.group, identity.group, identity.group) != 0 ||
      ::setresuid(identity.user, identity.user, identity.user) != 0) {
    return system_failure(kMechanism, "becoming an unprivileged user failed",
                          "give the host CAP_SETUID and CAP_SETGID, or start it as an ordinary "
                          "user");
  }
  return {};
}

}  // namespace cordon::engine
