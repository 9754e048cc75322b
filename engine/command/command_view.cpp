#include "engine/command/command_view.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/command/owner_map.h"
#include "messages/mountinfo_text.h"

namespace cordon::engine {

namespace {

constexpr const char* kMechanism = "mount view";
constexpr unsigned long kHarmless = MS_NOSUID | MS_NODEV | MS_NOEXEC;

StartFailure failure(const std::string& what) {
  return system_failure(kMechanism, what,
                        "use Linux 5.12 or later, and allow mounts in the container's profile");
}

std::vector<std::string> mount_points() {
  std::vector<std::string> points;
  std::ifstream lines("/proc/self/mountinfo");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string skipped;
    std::string point;
    fields >> skipped >> skipped >> skipped >> skipped >> point;
    points.push_back(unescape_mountinfo(point));
  }
  return points;
}

bool set_attributes(int directory, const char* path, unsigned flags, mount_attr attributes) {
  return ::mount_setattr(directory, path, flags, &attributes, sizeof attributes) == 0;
}

Started forbid_execution(capnp::List<capnp::Text>::Reader executable) {
  std::set<std::string> wanted;
  for (const auto path : executable) wanted.emplace(path.cStr());
  const auto points = mount_points();
  if (points.empty()) return failure("reading the mounts failed");
  for (const std::string& point : points) {
    if (wanted.count(point) != 0) continue;
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_NOEXEC | MOUNT_ATTR_NOSUID;
    if (!set_attributes(AT_FDCWD, point.c_str(), 0, attributes)) {
      // Covered by another mount, and so out of reach.
      if (errno == EINVAL || errno == ENOENT) continue;
      return failure("mount_setattr of " + point + " failed");
    }
  }
  return {};
}

Started make_scratch(wire::Launch::Reader launch, const std::optional<CommandIdentity>& identity) {
  const std::string path = launch.getDirectory();
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return failure("making the scratch directory failed");
  }
  std::string options = "mode=700,nr_inodes=65536,size=" + std::to_string(launch.getScratchBytes());
  if (identity) {
    options += ",uid=" + std::to_string(identity->user) + ",gid=" + std::to_string(identity->group);
  }
  if (::mount("scratch", path.c_str(), "tmpfs", kHarmless, options.c_str()) != 0) {
    return failure("mounting the scratch directory failed");
  }
  return {};
}

// An empty directory or file to mount on, where there is none.
bool make_mount_point(const std::string& path, bool directory) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    ::mkdir(path.substr(0, slash).c_str(), 0755);
  }
  if (directory) return ::mkdir(path.c_str(), 0755) == 0 || errno == EEXIST;
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0444));
  return static_cast<bool>(file) || errno == EACCES;
}

// False: the file system cannot show other owners.
bool map_owners(int tree, int owner_map) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_IDMAP;
  attributes.userns_fd = static_cast<std::uint64_t>(owner_map);
  return set_attributes(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, attributes);
}

Result<bool, StartFailure> place_root(wire::Root::Reader root, int owner_map) {
  const std::string source = root.getSource();
  const std::string path = root.getPath();
  const UniqueFd tree(
      ::open_tree(AT_FDCWD, source.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (!tree) return failure("open_tree of " + path + " failed");
  struct stat info {};
  if (::fstat(tree.get(), &info) != 0) return failure("fstat of " + path + " failed");
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOEXEC | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (!root.getWritable()) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (!set_attributes(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, attributes)) {
    return failure("mount_setattr of " + path + " failed");
  }
  const bool mapped = owner_map >= 0 && map_owners(tree.get(), owner_map);
  if (!make_mount_point(path, S_ISDIR(info.st_mode))) {
    return failure("making a place for " + path + " failed");
  }
  if (::move_mount(tree.get(), "", AT_FDCWD, path.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return failure("move_mount to " + path + " failed");
  }
  ::umount2(source.c_str(), MNT_DETACH);
  return mapped;
}

Result<FinishedView, StartFailure> place_roots(wire::Launch::Reader launch,
                                               const std::optional<CommandIdentity>& identity) {
  const auto roots = launch.getRoots();
  FinishedView view;
  if (roots.size() == 0) return view;
  const UniqueFd owner_map = identity ? make_owner_map(*identity) : UniqueFd();
  view.owners_mapped = static_cast<bool>(owner_map);
  for (const auto root : roots) {
    const auto mapped = place_root(root, owner_map.get());
    if (!mapped) return mapped.error();
    view.owners_mapped = view.owners_mapped && *mapped;
  }
  return view;
}

// Programs expect their user to have a name and a home. Where a root shows the host's /etc, its
// files stay as they are.
void name_user(const std::string& home, std::uint32_t user, std::uint32_t group) {
  const auto write = [](const char* path, const std::string& text) {
    const UniqueFd file(::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
    if (file) (void)!::write(file.get(), text.data(), text.size());
  };
  const std::string ids = std::to_string(user) + ":" + std::to_string(group);
  write("/etc/passwd", "sandbox:x:" + ids + "::" + home + ":/usr/sbin/nologin\n");
  write("/etc/group", "sandbox:x:" + std::to_string(group) + ":\n");
}

// By device and inode, which mounting does not change.
Started check_roots(capnp::List<wire::GrantedRoot>::Reader roots) {
  for (const auto root : roots) {
    const std::string path = root.getPath();
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return failure("looking at " + path + " failed");
    if (info.st_dev != root.getDevice() || info.st_ino != root.getInode()) {
      return StartFailure{kMechanism, path + " is not what it was when it was granted",
                          "grant no root beneath a writable one"};
    }
  }
  return {};
}

Started close_root() {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  if (!set_attributes(AT_FDCWD, "/", 0, attributes)) return failure("closing the root failed");
  return {};
}

// Nothing but the command's own processes; kernel files such as /proc/sys are not there.
Started narrow_procfs() {
  if (::mount("proc", "/proc", nullptr, MS_REMOUNT | kHarmless, "subset=pid") != 0) {
    return failure("narrowing /proc failed");
  }
  return {};
}

}  // namespace

Result<FinishedView, StartFailure> finish_view(wire::Launch::Reader launch,
                                               const std::optional<CommandIdentity>& identity) {
  ::umask(0);
  const auto placed = place_roots(launch, identity);
  if (!placed) return placed.error();
  if (const Started same = check_roots(launch.getGranted()); !same) return same.error();
  if (const Started made = make_scratch(launch, identity); !made) return made.error();
  name_user(launch.getDirectory(), identity ? identity->user : ::getuid(),
            identity ? identity->group : ::getgid());
  if (const Started closed = forbid_execution(launch.getExecutableMounts()); !closed) {
    return closed.error();
  }
  if (const Started narrowed = narrow_procfs(); !narrowed) return narrowed.error();
  if (const Started closed = close_root(); !closed) return closed.error();
  ::umask(022);
  return *placed;
}

}  // namespace cordon::engine
