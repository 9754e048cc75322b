#include "tests/system/processes.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

namespace cordon::test {

namespace {

struct Stat {
  char state = '?';
  pid_t parent = 0;
  long ticks = 0;  // user and system time
};

Stat read_stat(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto end = line.rfind(')');
  if (end == std::string::npos) return {};
  std::istringstream fields(line.substr(end + 1));
  Stat stat;
  fields >> stat.state >> stat.parent;
  std::string skipped;
  for (int i = 0; i < 9; ++i) fields >> skipped;
  long user = 0;
  long system = 0;
  fields >> user >> system;
  stat.ticks = user + system;
  return stat;
}

std::size_t count_entries(const char* directory) {
  const std::filesystem::directory_iterator entries(directory);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

}  // namespace

std::vector<pid_t> children(pid_t parent) {
  if (parent == 0) parent = ::getpid();
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t pid = std::stoi(name);
    if (read_stat(pid).parent == parent) found.push_back(pid);
  }
  return found;
}

bool is_living_child(pid_t pid, pid_t parent) {
  const Stat stat = read_stat(pid);
  return stat.parent == (parent == 0 ? ::getpid() : parent) && stat.state != 'Z';
}

pid_t wait_for_busy_child(pid_t parent) {
  using Clock = std::chrono::steady_clock;
  std::map<pid_t, long> first;
  for (const auto until = Clock::now() + std::chrono::seconds(20); Clock::now() < until;) {
    for (const pid_t pid : children(parent)) {
      const long ticks = read_stat(pid).ticks;
      const auto [seen, is_new] = first.emplace(pid, ticks);
      if (!is_new && ticks - seen->second >= 20) return pid;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return -1;
}

bool wait_until_gone(const std::vector<pid_t>& processes) {
  using Clock = std::chrono::steady_clock;
  for (const auto until = Clock::now() + std::chrono::seconds(20); Clock::now() < until;) {
    const bool any = std::any_of(processes.begin(), processes.end(), [](pid_t pid) {
      return std::filesystem::exists("/proc/" + std::to_string(pid));
    });
    if (!any) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::size_t count_descriptors() { return count_entries("/proc/self/fd"); }

std::vector<std::string> control_groups(pid_t host) {
  // cordon-NAMESPACE-PID-STARTED-SERIAL (capabilities/process/control_group.cpp)
  const std::string infix = "-" + std::to_string(host == 0 ? ::getpid() : host) + "-";
  std::vector<std::string> found;
  std::error_code error;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  using Walk = std::filesystem::recursive_directory_iterator;
  for (Walk at("/sys/fs/cgroup", options, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (name.starts_with("cordon-") && name.find(infix) != std::string::npos) {
      found.push_back(at->path());
    }
  }
  return found;
}

std::size_t count_threads() { return count_entries("/proc/self/task"); }

}  // namespace cordon::test
