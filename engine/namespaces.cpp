#include "engine/namespaces.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/host_identity.h"
#include "messages/unique_fd.h"

namespace cordon::engine {

namespace {

constexpr const char* kIdMap = "id map";
constexpr const char* kIdMapRemedy =
    "give the process CAP_SETUID and CAP_SETGID over ids that its user namespace maps, or start it "
    "as an ordinary user";

struct HostIds {
  uid_t user;
  gid_t group;
};

bool write_text(const std::string& path, const std::string& text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string read_text(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `process` is a directory of /proc. Order matters: an unprivileged writer may map its group only
// once setgroups is denied.
bool write_id_maps(const std::string& process, HostIds ids) {
  const auto line = [](std::uint32_t id) {
    return std::to_string(kNamespaceId) + " " + std::to_string(id) + " 1";
  };
  return write_text(process + "/setgroups", "deny") &&
         write_text(process + "/gid_map", line(ids.group)) &&
         write_text(process + "/uid_map", line(ids.user));
}

Started unshare_user() {
  if (::unshare(CLONE_NEWUSER) == 0) return {};
  return system_failure(
      "user namespace", "unshare(CLONE_NEWUSER) failed",
      "allow user namespaces: raise user.max_user_namespaces, set "
      "kernel.unprivileged_userns_clone=1 where it exists, allow them in the container's seccomp "
      "profile, and do not run in a chroot");
}

struct Kind {
  int flag;
  const char* mechanism;
  const char* sysctl;
};

constexpr Kind kKinds[] = {{CLONE_NEWNS, "mount namespace", "user.max_mnt_namespaces"},
                           {CLONE_NEWNET, "network namespace", "user.max_net_namespaces"},
                           {CLONE_NEWIPC, "IPC namespace", "user.max_ipc_namespaces"},
                           {CLONE_NEWUTS, "UTS namespace", "user.max_uts_namespaces"},
                           {CLONE_NEWCGROUP, "cgroup namespace", "user.max_cgroup_namespaces"},
                           {CLONE_NEWPID, "PID namespace", "user.max_pid_namespaces"}};

Started unshare_one(const Kind& kind) {
  if (::unshare(kind.flag) == 0) return {};
  return system_failure(kind.mechanism, std::string("unshare of the ") + kind.mechanism + " failed",
                        std::string("raise ") + kind.sysctl +
                            "; where AppArmor restricts user namespaces, set "
                            "kernel.apparmor_restrict_unprivileged_userns=0 or give cordon-engine "
                            "a profile that allows them");
}

Result<HostIds, StartFailure> choose_host_ids() {
  std::uint32_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) {
    return system_failure(kIdMap, "getrandom failed", kSystemCallRemedy);
  }
  const auto user = choose_host_id(read_text("/proc/self/uid_map"), random);
  const auto group = choose_host_id(read_text("/proc/self/gid_map"), random);
  if (!user || !group) {
    return StartFailure{kIdMap, "/proc/self/uid_map and gid_map show no unprivileged id",
                        "mount procfs, and map more than one id where this is a container"};
  }
  return HostIds{*user, *group};
}

// Only a process outside of the new namespace may map an id that is not its own: this one waits for
// the byte that says that the namespace exists. Its exit status is an errno.
[[noreturn]] void map_from_outside(int go, const std::string& process, HostIds ids) {
  char byte = 0;
  if (::read(go, &byte, 1) != 1) ::_exit(ECANCELED);
  ::_exit(write_id_maps(process, ids) ? 0 : errno);
}

Started enter_user_namespace_as(HostIds ids) {
  if (::setgroups(0, nullptr) != 0) {
    return system_failure(kIdMap, "dropping supplementary groups failed", kIdMapRemedy);
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return system_failure(kIdMap, "pipe2 failed", "raise the limit of open files");
  UniqueFd wait_end(ends[0]);
  UniqueFd go_end(ends[1]);
  const std::string self = "/proc/" + std::to_string(::getpid());
  const pid_t helper = ::fork();
  if (helper < 0) return system_failure(kIdMap, "fork failed", "raise the limit of processes");
  if (helper == 0) {
    go_end.reset();
    map_from_outside(wait_end.get(), self, ids);
  }
  const Started unshared = unshare_user();
  if (unshared && ::write(go_end.get(), "g", 1) != 1) {
    return system_failure(kIdMap, "starting the mapping failed", kSystemCallRemedy);
  }
  go_end.reset();
  int status = 0;
  while (::waitpid(helper, &status, 0) < 0 && errno == EINTR) {
  }
  if (!unshared) return unshared;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
    return system_failure(kIdMap, "mapping an unprivileged user failed", kIdMapRemedy);
  }
  if (::setresgid(kNamespaceId, kNamespaceId, kNamespaceId) != 0 ||
      ::setresuid(kNamespaceId, kNamespaceId, kNamespaceId) != 0) {
    return system_failure(kIdMap, "becoming an unprivileged user failed", kIdMapRemedy);
  }
  return {};
}

Started enter_user_namespace_as_self() {
  const HostIds ids{::geteuid(), ::getegid()};
  if (const Started unshared = unshare_user(); !unshared) return unshared;
  if (!write_id_maps("/proc/self", ids)) {
    return system_failure(kIdMap, "mapping the user failed",
                          "mount procfs; where AppArmor restricts user namespaces, give "
                          "cordon-engine a profile that allows them");
  }
  return {};
}

Started enter_user_namespace() {
  if (::geteuid() != 0) return enter_user_namespace_as_self();
  const auto ids = choose_host_ids();
  if (!ids) return ids.error();
  // Root of a namespace of one id, which is an ordinary user outside, has no other to become.
  return ids->user == 0 ? enter_user_namespace_as_self() : enter_user_namespace_as(*ids);
}

}  // namespace

Started enter_namespaces() {
  if (const Started entered = enter_user_namespace(); !entered) return entered;
  for (const Kind& kind : kKinds) {
    if (const Started unshared = unshare_one(kind); !unshared) return unshared;
  }
  return {};
}

Started enter_namespace(int kind) {
  for (const Kind& each : kKinds) {
    if (each.flag == kind) return unshare_one(each);
  }
  return StartFailure{"namespaces", "there is no such namespace", ""};
}

}  // namespace cordon::engine
