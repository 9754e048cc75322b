#pragma once
// Limits over a whole process tree: one control group per command, where the host may make them.
//
// Version 2, or version 1 as root, controller by controller. Groups are made beneath the host's
// own, so its limits hold as well; on version 2, where a group with processes cannot have children
// with controllers, beside it. Each is removed when its command is over. What a killed host leaves
// is removed by the next one: the name says whose it was.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "messages/result.h"
#include "messages/unique_fd.h"

namespace cordon {

struct TreeLimits {
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> processes;
  std::optional<double> cpus;
};

// One command's. Removed on destruction, if no process is in it any more.
class ControlGroup {
 public:
  ControlGroup() = default;
  ControlGroup(ControlGroup&&) noexcept = default;
  ControlGroup& operator=(ControlGroup&& other) noexcept;
  ~ControlGroup();

  // Open for writing on cgroup.procs, one per directory.
  std::vector<int> process_files() const;
  // Open for writing on the file of the CPU quota; -1: there is none.
  int quota_file() const { return quota_file_.get(); }
  // What lifts the quota there; empty: there is none.
  const std::string& unlimited_cpu() const { return unlimited_cpu_; }
  // To be called before its processes are killed: the kernel lets them die only as fast as the
  // quota lets them run.
  void lift_quota() noexcept;
  // Processes that the kernel has killed for want of memory.
  std::uint64_t out_of_memory_kills() const;
  // False while some process in it is still dying; to be tried again.
  bool remove() noexcept;

 private:
  friend class ControlGroups;

  std::vector<std::filesystem::path> directories_;
  std::vector<UniqueFd> process_files_;
  UniqueFd quota_file_;
  std::string unlimited_cpu_;
  UniqueFd memory_events_;  // none: no memory limit here
};

// Thread-safe but for construction.
class ControlGroups {
 public:
  enum class Controller : std::uint8_t { kMemory, kPids, kCpu };

  // What this process may use, by /proc/self/cgroup and mountinfo beneath `proc`. Removes what dead
  // hosts have left. An error, for people, when the host has too little of something to find out.
  static Result<ControlGroups, std::string> detect(
      const std::filesystem::path& proc = "/proc/self");

  // "cgroup v1", "cgroup v2"; none where the controller cannot be used.
  std::optional<std::string> mechanism(Controller controller) const;

  // `limits` may name only controllers that can be used. The error is for people.
  Result<ControlGroup, std::string> make(const TreeLimits& limits) const;

 private:
  struct Place {
    std::filesystem::path directory;  // where groups are made
    bool unified = false;             // version 2
  };
  void sweep() const;

  std::map<Controller, Place> places_;
};

}  // namespace cordon
