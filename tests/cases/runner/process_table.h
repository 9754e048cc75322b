#pragma once
// The processes that descend from this one, from /proc. This process is their subreaper, so that
// none gets away by losing its parent.

#include <sys/types.h>

#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace cordon::cases {

struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  std::string name;  // the kernel's short one
  char state = '?';
};

// Orphans of this process's descendants become its children from now on.
void become_subreaper();

// Of this process, and of those in turn; without `excluded` and theirs.
std::vector<ProcessEntry> descendants(const std::vector<pid_t>& excluded);

// Waits for orphans that have ended; `kept` are waited for elsewhere.
void reap_orphans(const std::vector<pid_t>& kept);

// How many processes there are by name.
std::map<std::string, int> count_by_name(const std::vector<ProcessEntry>& processes);

// Kills all descendants but `excluded`, again and again until there are none.
void kill_descendants(const std::vector<pid_t>& excluded);

// Looks every few milliseconds, while it lives, at the descendants that are not among `before`.
class ProcessWatch {
 public:
  explicit ProcessWatch(const std::vector<ProcessEntry>& before);
  void stop();  // the figures are complete after that

  std::size_t most_processes() const { return most_processes_; }
  double most_child_mib() const { return most_child_mib_; }  // resident set of one process

 private:
  void look();

  std::set<pid_t> before_;
  std::size_t most_processes_ = 0;
  double most_child_mib_ = 0;
  std::jthread thread_;
};

// A field of /proc/PID/status in MiB, "VmRSS" say; 0 when there is none.
double memory_mib(pid_t pid, const std::string& field);

}  // namespace cordon::cases
