#include "engine/command/confinement.h"

#include <fcntl.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>

#include <string>
#include <vector>

#include "engine/landlock.h"
#include "engine/privileges.h"
#include "messages/unique_fd.h"

namespace cordon::engine {

namespace {

class OpenRules {
 public:
  Started add(const std::string& path, AccessRule::Access access) {
    UniqueFd fd(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!fd)
      return system_failure("landlock", "opening " + path + " failed",
                            "let what is granted exist for as long as commands run");
    rules_.files.push_back({fd.get(), access});
    open_.push_back(std::move(fd));
    return {};
  }
  AccessRules& rules() { return rules_; }

 private:
  AccessRules rules_;
  std::vector<UniqueFd> open_;
};

Started restrict_files(wire::Launch::Reader launch) {
  using Access = AccessRule::Access;
  OpenRules open;
  open.rules().bind = launch.getMayBind();
  open.rules().connect = launch.getMayConnect();
  if (const auto added = open.add("/", Access::kRead); !added) return added;
  if (const auto added = open.add(launch.getDirectory(), Access::kChange); !added) return added;
  for (const auto path : launch.getMayExecute()) {
    if (const auto added = open.add(path, Access::kExecute); !added) return added;
  }
  for (const auto path : launch.getMayWrite()) {
    if (const auto added = open.add(path, Access::kChange); !added) return added;
  }
  return restrict_access(open.rules());
}

}  // namespace

Result<Confinement, StartFailure> confine(wire::Launch::Reader launch,
                                          const std::optional<CommandIdentity>& identity) {
  if (identity) {
    // Capabilities outlive the change of user: emptying the bounding set needs one.
    if (::prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP | SECBIT_NOROOT, 0, 0, 0) != 0) {
      return system_failure("capabilities", "setting the secure bits failed", kSystemCallRemedy);
    }
    if (const Started became = become(*identity); !became) return became.error();
    // A change of user has undone it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  }
  if (const Started done = drop_capabilities(); !done) return done.error();
  if (const Started done = forbid_new_privileges(); !done) return done.error();
  Confinement confinement{landlock_version()};
  if (confinement.landlock == 0 && launch.getAllowMissingWalls()) return confinement;
  if (const Started done = restrict_files(launch); !done) return done.error();
  return confinement;
}

}  // namespace cordon::engine
