#include "capabilities/process/command_view.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "capabilities/file_root.h"
#include "capabilities/process/path_links.h"
#include "capabilities/process/private_loader.h"
#include "capabilities/process/program_file.h"
#include "capabilities/shortage.h"

namespace cordon {

namespace {

namespace fs = std::filesystem;

struct SystemDirectory {
  const char* path;
  bool executable;  // holds shared libraries
};
constexpr std::array kSystemDirectories = {
    SystemDirectory{"/usr/lib", true},       SystemDirectory{"/usr/lib64", true},
    SystemDirectory{"/lib", true},           SystemDirectory{"/lib64", true},
    SystemDirectory{"/usr/local/lib", true}, SystemDirectory{"/usr/share", false}};
// Links on a system whose /usr is merged.
constexpr std::array kSystemLinks = {"/bin", "/sbin", "/lib", "/lib64"};
constexpr std::array kSystemFiles = {"/etc/ld.so.cache", "/etc/alternatives"};
// With a network, programs want to know names and certificates.
constexpr std::array kNetworkFiles = {
    "/etc/resolv.conf", "/etc/hosts",    "/etc/nsswitch.conf", "/etc/host.conf",
    "/etc/gai.conf",    "/etc/services", "/etc/ssl",           "/etc/ca-certificates"};
constexpr std::array kDevices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                 "/dev/urandom"};
// Never shown as the host's, not even under a grant of /.
constexpr std::array kOwnDirectories = {"/proc", "/sys", "/dev", "/cordon"};
constexpr const char* kStaging = "/cordon/roots/";

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

bool is_own(const std::string& path) {
  return std::any_of(kOwnDirectories.begin(), kOwnDirectories.end(),
                     [&](const char* own) { return is_at_or_beneath(path, own); });
}

class Plan {
 public:
  explicit Plan(const ViewRequest& request) : request_(request) {}

  Result<CommandView, std::string> make() {
    find_system();
    find_programs();
    if (const auto problem = find_loaders(); !problem.empty()) return problem;
    collect_roots();
    identify_roots();
    for (const PlacedRoot& root : roots_) {
      if (holds_code(root.path)) bind(root);
    }
    add_system();
    add_programs();
    for (const PlacedRoot& root : roots_) {
      if (!holds_code(root.path)) place(root);
    }
    add_kernel_files();
    return std::move(view_);
  }

 private:
  void arguments(std::initializer_list<std::string> texts) {
    view_.bubblewrap.insert(view_.bubblewrap.end(), texts);
  }
  // By themselves they would be closed to everybody but their owner.
  void make_parents(const std::string& path) {
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const std::string parent = path.substr(0, slash);
      if (parents_.insert(parent).second) arguments({"--perms", "0755", "--dir", parent});
    }
  }
  void mount(const char* how, const std::string& source, const std::string& path) {
    make_parents(path);
    arguments({how, source, path});
  }
  void link(const std::string& target, const std::string& path) {
    mount("--symlink", target, path);
  }
  void bind(const PlacedRoot& root) {
    mount(root.writable ? "--bind" : "--ro-bind", root.path, root.path);
    if (root.writable) view_.may_write.push_back(root.path);
  }
  bool is_shown(const std::string& path) const {
    return std::any_of(shown_.begin(), shown_.end(),
                       [&](const auto& each) { return is_at_or_beneath(path, each); });
  }

  void find_system() {
    for (const auto& [path, executable] : kSystemDirectories) {
      if (!is_directory(path)) continue;
      shown_.insert(path);
      if (executable) view_.executable_mounts.emplace_back(path);
    }
  }

  void find_programs() {
    const auto add = [this](const GrantedCommand& command) {
      const auto files = files_of_program(command.canonical, request_.subprocess.environment);
      programs_.insert(files.programs.begin(), files.programs.end());
      loader_names_.insert(files.loaders.begin(), files.loaders.end());
      paths_.insert(files.interpreters.begin(), files.interpreters.end());
      paths_.insert(command.path);
    };
    for (const auto& command : request_.subprocess.commands) add(command);
    for (const auto& binary : request_.subprocess.allowed_binaries) add(binary);
    for (const std::string& program : programs_) {
      view_.may_execute.push_back(program);
      if (!is_shown(program)) view_.executable_mounts.push_back(program);
    }
  }

  std::string find_loaders() {
    std::set<std::string> canonical;
    for (const std::string& name : loader_names_) {
      std::error_code error;
      const auto path = fs::canonical(name, error);
      if (error) continue;  // its programs cannot be executed
      paths_.insert(name);
      if (!canonical.insert(path.string()).second) continue;
      errno = 0;
      std::ifstream file(path, std::ios::binary);
      if (!file) throw_shortage(errno, path.string() + " cannot be opened");
      auto copy = make_private_loader({std::istreambuf_iterator<char>(file), {}});
      if (!copy) return "the loader " + path.string() + " cannot be made private";
      view_.loaders.push_back({path.string(), std::move(*copy)});
      view_.may_execute.push_back(path.string());
      view_.executable_mounts.push_back(path.string());
    }
    return {};
  }

  void collect_roots() {
    for (const std::string& path : request_.read_roots) add_root(path, false);
    const auto& filesystem = request_.subprocess.sandbox.filesystem;
    for (const std::string& path : filesystem.readonly) add_root(path, false);
    for (const std::string& path : filesystem.writable) add_root(path, true);
    // Outer ones first: what comes later covers what was there.
    std::stable_sort(roots_.begin(), roots_.end(), [](const auto& a, const auto& b) {
      return a.path != b.path ? a.path < b.path : a.writable < b.writable;
    });
  }

  void identify_roots() {
    for (const PlacedRoot& root : roots_) {
      struct stat info {};
      // What is gone has no inode 0, and is found missing when it is to be mounted.
      ::lstat(root.path.c_str(), &info);
      view_.granted.push_back({root.path, info.st_dev, info.st_ino});
    }
  }

  // The root directory is shown entry by entry, for the sake of those that are the sandbox's own.
  void add_root(const std::string& path, bool writable) {
    if (path != "/") {
      if (!is_own(path)) roots_.push_back({path, path, writable});
      return;
    }
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/", error)) {
      const std::string name = entry.path().string();
      if (entry.is_symlink(error)) {
        paths_.insert(name);
      } else if (!is_own(name)) {
        roots_.push_back({name, name, writable});
      }
    }
    if (error) throw_shortage(error.value(), "/ cannot be read");
  }

  // Code that must stay visible and executable lies beneath it.
  bool holds_code(const std::string& root) const {
    const auto& code = view_.executable_mounts;
    return std::any_of(code.begin(), code.end(),
                       [&](const auto& each) { return is_at_or_beneath(each, root); });
  }

  void add_system() {
    for (const std::string& path : shown_) mount("--ro-bind", path, path);
    for (const char* const path : kSystemLinks) add_links(path);
    for (const char* const path : kSystemFiles) mount("--ro-bind-try", path, path);
    const auto& network = request_.subprocess.sandbox.network;
    if (!network.outbound && !network.inbound) return;
    for (const char* const path : kNetworkFiles) mount("--ro-bind-try", path, path);
  }

  void add_programs() {
    for (const std::string& program : programs_) {
      std::error_code error;
      if (!is_shown(program) && fs::exists(program, error)) {
        mount("--ro-bind", program, program);
      }
    }
    for (const std::string& path : paths_) add_links(path);
  }

  void add_links(const std::string& path) {
    for (const PathLink& link : links_towards(path)) {
      const bool exists = is_shown(link.path) || is_at_or_beneath(link.path, "/etc/alternatives") ||
                          std::any_of(roots_.begin(), roots_.end(), [&](const auto& root) {
                            return is_at_or_beneath(link.path, root.path);
                          });
      if (!exists && links_.insert(link.path).second) {
        this->link(link.target, link.path);
      }
    }
  }

  void place(const PlacedRoot& root) {
    if (!request_.map_owners) return bind(root);
    const std::string staged = kStaging + std::to_string(view_.roots.size());
    mount("--bind", root.path, staged);
    view_.roots.push_back({staged, root.path, root.writable});
    if (root.writable) view_.may_write.push_back(root.path);
  }

  void add_kernel_files() {
    arguments({"--proc", "/proc"});
    for (const char* const device : kDevices) {
      mount("--dev-bind", device, device);
      view_.may_write.emplace_back(device);
    }
    link("/proc/self/fd", "/dev/fd");
    link("/proc/self/fd/0", "/dev/stdin");
    link("/proc/self/fd/1", "/dev/stdout");
    link("/proc/self/fd/2", "/dev/stderr");
    make_parents(kScratchDirectory);
    make_parents("/etc/passwd");
  }

  const ViewRequest& request_;
  CommandView view_;
  std::set<std::string> shown_;         // system directories
  std::set<std::string> programs_;      // canonical
  std::set<std::string> loader_names_;  // as the programs name them
  std::set<std::string> paths_;         // which should lead where they lead on the host
  std::set<std::string> links_;         // made
  std::set<std::string> parents_;       // made
  std::vector<PlacedRoot> roots_;
};

}  // namespace

Result<CommandView, std::string> plan_view(const ViewRequest& request) {
  return Plan(request).make();
}

}  // namespace cordon
