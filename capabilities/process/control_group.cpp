#include "capabilities/process/control_group.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "capabilities/shortage.h"
#include "messages/mountinfo_text.h"

namespace cordon {

namespace {

namespace fs = std::filesystem;
using Controller = ControlGroups::Controller;

constexpr std::string_view kPrefix = "cordon-";
constexpr std::array kControllers = {
    std::pair{Controller::kMemory, "memory"},
    std::pair{Controller::kPids, "pids"},
    std::pair{Controller::kCpu, "cpu"},
};

// ---------------------------------------------------------------- where groups can be made

// A file that cannot be opened is as good as empty, unless the host has run out of something: then
// nothing is known.
class Files {
 public:
  std::string read(const fs::path& path) {
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file && is_shortage(errno)) shortage_ = errno;
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t got = 0; file && (got = ::read(file.get(), buffer.data(), buffer.size())) > 0;) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }
  int shortage() const { return shortage_; }  // an errno, or 0

 private:
  int shortage_ = 0;
};

struct Hierarchy {
  fs::path mounted;  // where
  fs::path root;     // which group is seen there
  bool unified = false;
  std::set<std::string> options;  // version 1: its controllers among them
};

std::set<std::string> split(const std::string& text, char separator) {
  std::set<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.insert(part);
  return parts;
}

std::vector<Hierarchy> mounted_hierarchies(const std::string& mountinfo) {
  std::vector<Hierarchy> found;
  std::istringstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream head(line);
    std::istringstream tail(line.substr(dash + 3));
    std::string skipped, root, mounted, type, options;
    head >> skipped >> skipped >> skipped >> root >> mounted;
    tail >> type >> skipped >> options;
    if (type != "cgroup" && type != "cgroup2") continue;
    found.push_back({unescape_mountinfo(mounted), unescape_mountinfo(root), type == "cgroup2",
                     split(options, ',')});
  }
  return found;
}

// Group paths of this process: by controller for version 1, by "" for version 2.
std::map<std::string, fs::path> own_groups(const std::string& list) {
  std::map<std::string, fs::path> groups;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string path = line.substr(second + 1);
    const auto names = split(line.substr(first + 1, second - first - 1), ',');
    if (names.empty()) groups[""] = path;
    for (const std::string& name : names) groups[name] = path;
  }
  return groups;
}

std::optional<fs::path> directory_of(const Hierarchy& hierarchy, const fs::path& group) {
  const auto relative = group.lexically_relative(hierarchy.root);
  if (relative.empty() || relative.native().starts_with("..")) return std::nullopt;
  return relative == "." ? hierarchy.mounted : hierarchy.mounted / relative;
}

bool is_writable(const fs::path& path) { return ::access(path.c_str(), W_OK) == 0; }

bool offers(Files& files, const fs::path& directory, const std::string& controller) {
  std::istringstream names(files.read(directory / "cgroup.subtree_control"));
  for (std::string name; names >> name;) {
    if (name == controller)
      return is_writable(directory) && is_writable(directory / "cgroup.procs");
  }
  return false;
}

// ---------------------------------------------------------------- names

std::string pid_namespace() {
  struct stat info {};
  return ::stat("/proc/self/ns/pid", &info) == 0 ? std::to_string(info.st_ino) : "0";
}

// Together with the pid it names a process for good; empty when there is none.
std::string start_time(Files& files, const std::string& pid) {
  const std::string stat = files.read("/proc/" + pid + "/stat");
  std::istringstream fields(stat.substr(std::min(stat.rfind(')'), stat.size())));
  std::string field;
  for (int i = 0; i < 21; ++i) fields >> field;
  return field;
}

// cordon-NAMESPACE-PID-STARTED-SERIAL
std::string next_name() {
  static std::atomic<std::uint64_t> serial{0};
  const std::string pid = std::to_string(::getpid());
  Files files;
  return std::string(kPrefix) + pid_namespace() + "-" + pid + "-" + start_time(files, pid) + "-" +
         std::to_string(serial.fetch_add(1));
}

bool is_of_dead_host(const std::string& name) {
  if (!name.starts_with(kPrefix)) return false;
  std::istringstream parts(name.substr(kPrefix.size()));
  std::string space, pid, started;
  if (!std::getline(parts, space, '-') || !std::getline(parts, pid, '-') ||
      !std::getline(parts, started, '-')) {
    return false;
  }
  if (space != pid_namespace() || pid.find_first_not_of("0123456789") != std::string::npos) {
    return false;
  }
  Files files;
  return start_time(files, pid) != started && files.shortage() == 0;
}

// ---------------------------------------------------------------- values

bool write_value(const fs::path& file, const std::string& value) {
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && ::write(fd.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

struct Quota {
  std::int64_t microseconds;
  std::int64_t period;
};

// The kernel takes quotas from 1 ms up, and periods from 1 ms to 1 s: no less than 0.001 CPUs.
Quota quota_of(double cpus) {
  const std::int64_t period = cpus < 0.01 ? 1'000'000 : 100'000;
  constexpr double kMostCpus = 1'000'000;
  const double quota = std::min(cpus, kMostCpus) * static_cast<double>(period);
  return {static_cast<std::int64_t>(std::llround(quota)), period};
}

bool limit_memory(const fs::path& group, bool unified, std::uint64_t bytes) {
  const std::string value = std::to_string(bytes);
  if (unified) {
    const bool swap =
        !fs::exists(group / "memory.swap.max") || write_value(group / "memory.swap.max", "0");
    return swap && write_value(group / "memory.max", value);
  }
  if (!write_value(group / "memory.limit_in_bytes", value)) return false;
  const auto with_swap = group / "memory.memsw.limit_in_bytes";
  return !fs::exists(with_swap) || write_value(with_swap, value);
}

const char* quota_name(bool unified) { return unified ? "cpu.max" : "cpu.cfs_quota_us"; }
const char* unlimited(bool unified) { return unified ? "max" : "-1"; }

bool limit_cpu(const fs::path& group, bool unified, double cpus) {
  const Quota quota = quota_of(cpus);
  const std::string time = std::to_string(quota.microseconds);
  const std::string period = std::to_string(quota.period);
  const fs::path file = group / quota_name(unified);
  if (unified) return write_value(file, time + " " + period);
  return write_value(group / "cpu.cfs_period_us", period) && write_value(file, time);
}

}  // namespace

// ---------------------------------------------------------------- one group

ControlGroup& ControlGroup::operator=(ControlGroup&& other) noexcept {
  remove();
  directories_ = std::exchange(other.directories_, {});
  process_files_ = std::exchange(other.process_files_, {});
  quota_file_ = std::move(other.quota_file_);
  unlimited_cpu_ = std::exchange(other.unlimited_cpu_, {});
  memory_events_ = std::move(other.memory_events_);
  return *this;
}

ControlGroup::~ControlGroup() { remove(); }

bool ControlGroup::remove() noexcept {
  process_files_.clear();
  quota_file_.reset();
  memory_events_.reset();
  std::erase_if(directories_, [](const fs::path& directory) {
    return ::rmdir(directory.c_str()) == 0 || errno != EBUSY;
  });
  return directories_.empty();
}

std::vector<int> ControlGroup::process_files() const {
  std::vector<int> files;
  for (const UniqueFd& file : process_files_) files.push_back(file.get());
  return files;
}

void ControlGroup::lift_quota() noexcept {
  if (!quota_file_) return;
  // Only a group that somebody else has removed refuses it, and that one is empty.
  [[maybe_unused]] const ssize_t written =
      ::write(quota_file_.get(), unlimited_cpu_.data(), unlimited_cpu_.size());
}

std::uint64_t ControlGroup::out_of_memory_kills() const {
  std::array<char, 4096> text;
  const ssize_t size = ::pread(memory_events_.get(), text.data(), text.size(), 0);
  if (size <= 0) return 0;
  std::istringstream lines(std::string(text.data(), static_cast<std::size_t>(size)));
  std::string name;
  for (std::uint64_t count = 0; lines >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return 0;
}

// ---------------------------------------------------------------- all groups

Result<ControlGroups, std::string> ControlGroups::detect(const fs::path& proc) {
  Files files;
  ControlGroups groups;
  const auto hierarchies = mounted_hierarchies(files.read(proc / "mountinfo"));
  const auto own = own_groups(files.read(proc / "cgroup"));
  for (const auto& [controller, name] : kControllers) {
    for (const Hierarchy& hierarchy : hierarchies) {
      const bool there = hierarchy.unified || hierarchy.options.count(name) != 0;
      const auto group = own.find(hierarchy.unified ? "" : name);
      if (!there || group == own.end() || groups.places_.count(controller) != 0) continue;
      const auto directory = directory_of(hierarchy, group->second);
      if (!directory) continue;
      if (!hierarchy.unified) {
        if (is_writable(*directory)) groups.places_[controller] = {*directory, false};
      } else if (offers(files, *directory, name)) {
        groups.places_[controller] = {*directory, true};
      } else if (*directory != hierarchy.mounted && offers(files, directory->parent_path(), name)) {
        groups.places_[controller] = {directory->parent_path(), true};
      }
    }
  }
  if (files.shortage() != 0) {
    const std::error_code code(files.shortage(), std::generic_category());
    return "looking for control groups failed: " + code.message() + "; " +
           remedy_for_shortage(code.value());
  }
  groups.sweep();
  return groups;
}

std::optional<std::string> ControlGroups::mechanism(Controller controller) const {
  const auto found = places_.find(controller);
  if (found == places_.end()) return std::nullopt;
  return found->second.unified ? "cgroup v2" : "cgroup v1";
}

void ControlGroups::sweep() const {
  for (const auto& [controller, place] : places_) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(place.directory, error)) {
      const fs::path& group = entry.path();
      if (!is_of_dead_host(group.filename().string()) || ::rmdir(group.c_str()) == 0) continue;
      // Its processes are dying, as fast as their quota lets them.
      if (controller == Controller::kCpu) {
        write_value(group / quota_name(place.unified), unlimited(place.unified));
      }
    }
  }
}

Result<ControlGroup, std::string> ControlGroups::make(const TreeLimits& limits) const {
  ControlGroup made;
  const std::string name = next_name();
  std::map<fs::path, fs::path> by_parent;
  const auto directory = [&](Controller controller) -> std::optional<fs::path> {
    const auto place = places_.find(controller);
    if (place == places_.end()) return std::nullopt;
    const auto [at, is_new] =
        by_parent.emplace(place->second.directory, place->second.directory / name);
    if (!is_new) return at->second;
    if (::mkdir(at->second.c_str(), 0755) != 0) return std::nullopt;
    made.directories_.push_back(at->second);
    made.process_files_.emplace_back(
        ::open((at->second / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    return made.process_files_.back() ? std::optional(at->second) : std::nullopt;
  };
  const auto failure = [](const char* what) {
    const std::error_code code(errno, std::generic_category());
    return "limiting " + std::string(what) + " by a control group failed: " + code.message() +
           (is_shortage(code.value()) ? std::string("; ") + remedy_for_shortage(code.value()) : "");
  };
  const auto unified = [&](Controller controller) { return places_.at(controller).unified; };
  if (limits.memory_bytes) {
    const auto group = directory(Controller::kMemory);
    if (!group || !limit_memory(*group, unified(Controller::kMemory), *limits.memory_bytes)) {
      return failure("memory");
    }
    const char* const events =
        unified(Controller::kMemory) ? "memory.events" : "memory.oom_control";
    made.memory_events_.reset(::open((*group / events).c_str(), O_RDONLY | O_CLOEXEC));
    if (!made.memory_events_) return failure("memory");
  }
  if (limits.processes) {
    const auto group = directory(Controller::kPids);
    if (!group || !write_value(*group / "pids.max", std::to_string(*limits.processes))) {
      return failure("processes");
    }
  }
  if (limits.cpus) {
    const auto group = directory(Controller::kCpu);
    const bool is_unified = group && unified(Controller::kCpu);
    if (!group || !limit_cpu(*group, is_unified, *limits.cpus)) return failure("CPU time");
    made.unlimited_cpu_ = unlimited(is_unified);
    made.quota_file_.reset(::open((*group / quota_name(is_unified)).c_str(), O_WRONLY | O_CLOEXEC));
    if (!made.quota_file_) return failure("CPU time");
  }
  return made;
}

}  // namespace cordon
