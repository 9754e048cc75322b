#include "engine/mount_view.h"

#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cordon::engine {

namespace {

StartFailure failure(const char* what) {
  return system_failure("mount view", what,
                        "run where an unprivileged mount namespace may mount tmpfs: a container "
                        "profile or security module seems to forbid it");
}

}  // namespace

Started empty_the_mount_view() {
  if (::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return failure("making mounts private failed");
  }
  // Any directory would do; this one is known to exist, since the id maps were written through it.
  constexpr unsigned long kHarmless = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  if (::mount("none", "/proc", "tmpfs", kHarmless, "size=4k,nr_inodes=2,mode=555") != 0) {
    return failure("mounting an empty file system failed");
  }
  // With both paths the same, the old root ends up on top of the new one, and is taken off.
  if (::chdir("/proc") != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0 ||
      ::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0) {
    return failure("pivot_root failed");
  }
  if (::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | kHarmless, nullptr) != 0) {
    return failure("making the root read-only failed");
  }
  return {};
}

}  // namespace cordon::engine
